"""The server: which method answers what, over standard input and output or over TCP."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec, TypeVar

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from celvet.lint.lsp.client import Client
from celvet.lint.lsp.protocol import Protocol
from celvet.lint.lsp.rendering import BEGIN, REVEAL
from celvet.lint.lsp.requests import Requests
from celvet.lint.lsp.state.documents import Documents
from celvet.lint.lsp.state.settings import Configuration
from celvet.lint.lsp.state.workspace import HealthTests
from celvet.lint.lsp.watching import Watcher
from celvet.version import __version__

ParamsT = ParamSpec("ParamsT")
ResultT = TypeVar("ResultT")

_COMPLETES_AFTER = [".", "?", "'", '"', "("]


class Server(LanguageServer):
    """celvet as a language server; a mistake of ours is one line in the client's log."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("celvet", __version__, protocol_cls=Protocol)
        self.client = Client(self)
        self.documents = Documents(Configuration())
        tests = HealthTests()
        self._follow(Watcher(self.client, self.documents, tests))
        self._answer(Requests(self.client, self.documents, tests))

    @property
    def status(self) -> int:
        """What the process ends with."""
        return self.protocol.status

    def _follow(self, watcher: Watcher) -> None:
        """Notifications, in the order in which they come."""
        feature = self.feature
        feature(lsp.INITIALIZE)(self._sound(watcher.initialize))
        feature(lsp.INITIALIZED)(self._patient(watcher.initialized))
        feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)(self._patient(watcher.configured))
        feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)(self._sound(watcher.files_changed))
        feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(self._sound(watcher.folders_changed))
        feature(lsp.TEXT_DOCUMENT_DID_OPEN)(self._sound(watcher.opened))
        feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(self._sound(watcher.changed))
        feature(lsp.TEXT_DOCUMENT_DID_SAVE)(self._sound(watcher.saved))
        feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(self._sound(watcher.closed))

    def _answer(self, requests: Requests) -> None:
        """Requests, any of which may be cancelled by the client."""
        feature = self.feature
        options = lsp.CompletionOptions(trigger_characters=_COMPLETES_AFTER)
        kinds = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.Refactor]
        feature(lsp.TEXT_DOCUMENT_HOVER)(self._patient(requests.hover))
        feature(lsp.TEXT_DOCUMENT_COMPLETION, options)(self._patient(requests.completion))
        actions = lsp.CodeActionOptions(code_action_kinds=kinds)
        feature(lsp.TEXT_DOCUMENT_CODE_ACTION, actions)(self._patient(requests.code_action))
        feature(lsp.TEXT_DOCUMENT_CODE_LENS)(self._patient(requests.code_lens))
        self.command(BEGIN)(self._patient(requests.begin))
        self.command(REVEAL)(self._patient(requests.reveal))

    def _sound(self, handle: Callable[ParamsT, None]) -> Callable[ParamsT, None]:
        """A handler that reports what goes wrong."""

        @functools.wraps(handle)
        def handler(*args: ParamsT.args, **kwargs: ParamsT.kwargs) -> None:
            try:
                handle(*args, **kwargs)
            except Exception as error:
                self._failed(error)

        return handler

    def _patient(
        self, handle: Callable[ParamsT, Awaitable[ResultT]]
    ) -> Callable[ParamsT, Awaitable[ResultT | None]]:
        """The same for one that waits; where it fails there is nothing to say."""

        @functools.wraps(handle)
        async def handler(*args: ParamsT.args, **kwargs: ParamsT.kwargs) -> ResultT | None:
            try:
                return await handle(*args, **kwargs)
            except Exception as error:
                self._failed(error)
                return None

        return handler

    def _failed(self, error: Exception) -> None:
        self.client.log(
            f"internal error: {type(error).__name__}: {error}; please report it",
            lsp.MessageType.Error,
        )

    def report_server_error(self, error: Exception, source: Any) -> None:
        """What pygls itself met with, such as a message that is none; it would show a window."""
        self.client.log(f"{type(error).__name__}: {error}")

    def shutdown(self) -> None:
        """End, and the thread that judges with it."""
        self.documents.close()
        super().shutdown()  # type: ignore[no-untyped-call] # pygls has none here
