"""The server: connects the methods of the protocol with what answers them."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec, TypeVar

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from celvet.lint.lsp.client import Client
from celvet.lint.lsp.commands import Commands
from celvet.lint.lsp.features.tokens import LEGEND
from celvet.lint.lsp.protocol import Protocol
from celvet.lint.lsp.requests import Requests
from celvet.lint.lsp.state.configuration import Configuration
from celvet.lint.lsp.state.documents import Documents
from celvet.lint.lsp.state.workspace import WorkspaceTests
from celvet.lint.lsp.watching import Watcher
from celvet.version import __version__

ParamsT = ParamSpec("ParamsT")
ResultT = TypeVar("ResultT")
_COMPLETES_AFTER = [".", "?", "'", '"', "("]


class Server(LanguageServer):
    """celvet as a language server; an internal error is one line in the client's log."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("celvet", __version__, protocol_cls=Protocol)
        self.client = Client(self, self.protocol)
        self.documents = Documents(Configuration())
        tests = WorkspaceTests()
        self._register_notifications(Watcher(self.client, self.documents, tests))
        self._register_requests(Requests(self.client, self.documents, tests))
        self._register_commands(Commands(self.client, self.documents))

    @property
    def status(self) -> int:
        """The exit status of the process."""
        return self.protocol.status

    def _register_notifications(self, watcher: Watcher) -> None:
        """Notifications, in the order of a session."""
        feature = self.feature
        feature(lsp.INITIALIZE)(self._sync(watcher.on_initialize))
        feature(lsp.INITIALIZED)(self._async(watcher.on_initialized))
        feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)(self._async(watcher.on_configuration))
        feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)(self._sync(watcher.on_files_changed))
        feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(self._sync(watcher.on_folders_changed))
        feature(lsp.TEXT_DOCUMENT_DID_OPEN)(self._sync(watcher.on_open))
        feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(self._sync(watcher.on_change))
        feature(lsp.TEXT_DOCUMENT_DID_SAVE)(self._sync(watcher.on_save))
        feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(self._sync(watcher.on_close))

    def _register_requests(self, requests: Requests) -> None:
        """Requests; the client may cancel any of them."""
        feature = self.feature
        options = lsp.CompletionOptions(trigger_characters=_COMPLETES_AFTER)
        kinds = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.Refactor]
        feature(lsp.TEXT_DOCUMENT_HOVER)(self._async(requests.hover))
        feature(lsp.TEXT_DOCUMENT_COMPLETION, options)(self._async(requests.completion))
        actions = lsp.CodeActionOptions(code_action_kinds=kinds)
        feature(lsp.TEXT_DOCUMENT_CODE_ACTION, actions)(self._async(requests.code_action))
        feature(lsp.TEXT_DOCUMENT_CODE_LENS)(self._async(requests.code_lens))
        feature(lsp.TEXT_DOCUMENT_INLAY_HINT)(self._async(requests.inlay_hint))
        legend = lsp.SemanticTokensLegend([*LEGEND], [])
        whole_file, visible_part = requests.semantic_tokens, requests.tokens_in_range
        feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)(self._async(whole_file))
        feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, legend)(self._async(visible_part))

    def _register_commands(self, commands: Commands) -> None:
        """Commands, which a client sends back from a lens or an action, or on its own."""
        for name, handle in commands.by_name.items():
            self.command(name)(self._async(handle))

    def _sync(self, handle: Callable[ParamsT, None]) -> Callable[ParamsT, None]:
        """A handler that reports errors."""

        @functools.wraps(handle)
        def handler(*args: ParamsT.args, **kwargs: ParamsT.kwargs) -> None:
            try:
                handle(*args, **kwargs)
            except Exception as error:
                self._log_failure(error)

        return handler

    def _async(
        self, handle: Callable[ParamsT, Awaitable[ResultT]]
    ) -> Callable[ParamsT, Awaitable[ResultT | None]]:
        """A coroutine that reports errors; the answer is empty if it fails."""

        @functools.wraps(handle)
        async def handler(*args: ParamsT.args, **kwargs: ParamsT.kwargs) -> ResultT | None:
            try:
                return await handle(*args, **kwargs)
            except Exception as error:
                self._log_failure(error)
                return None

        return handler

    def _log_failure(self, error: Exception) -> None:
        self.client.log(
            f"internal error: {type(error).__name__}: {error}; please report it",
            lsp.MessageType.Error,
        )

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log an error of pygls itself, such as a malformed message; it would show a window."""
        self.client.log(f"{type(error).__name__}: {error}")

    def shutdown(self) -> None:
        """Stop, and end the engine's thread."""
        self.documents.close()
        super().shutdown()  # type: ignore[no-untyped-call] # pygls has none here
