"""The server: answers the requests of the editor, and connects the methods of the protocol."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from celvet.lint.locate.edits import Edit
from celvet.lint.lsp.client import Client
from celvet.lint.lsp.features.actions import quick_fixes, testable_titles
from celvet.lint.lsp.features.completion.proposal import Proposals
from celvet.lint.lsp.features.completion.propose import Examples, proposals
from celvet.lint.lsp.features.diagnostics import diagnostic
from celvet.lint.lsp.features.hover import hover
from celvet.lint.lsp.features.lenses import lenses
from celvet.lint.lsp.features.scaffolding import health_test, line_of_test
from celvet.lint.lsp.protocol import Protocol
from celvet.lint.lsp.protocol_types import (
    BEGIN,
    REVEAL,
    code_lens,
    completion_item,
    is_requested,
    quick_fix,
    test_action,
)
from celvet.lint.lsp.state.configuration import Configuration
from celvet.lint.lsp.state.documents import Documents, OpenFile
from celvet.lint.lsp.state.workspace import WorkspaceTests
from celvet.lint.lsp.watching import Watcher
from celvet.lint.model import Span
from celvet.version import __version__

ParamsT = ParamSpec("ParamsT")
ResultT = TypeVar("ResultT")
_COMPLETES_AFTER = [".", "?", "'", '"', "("]


class _Requests:
    """A method for each request; for a file that is not open, the answer is empty."""

    def __init__(self, client: Client, documents: Documents, tests: WorkspaceTests) -> None:
        self._client = client
        self._documents = documents
        self._tests = tests

    async def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        """The place under the cursor, and its document."""
        file = self._documents.find(params.text_document.uri)
        if file is None:
            return None
        text, offset = file.text, file.text.offset(params.position)
        part = await self._documents.analysis_at(file, offset)
        answer = await self._documents.run(partial(hover, part.analysis, offset - part.start))
        if answer is None:
            return None
        start, end = answer.extent
        content = self._client.hover_text(answer.markdown)
        return lsp.Hover(content, text.range(Span(start + part.start, end + part.start)))

    async def completion(self, params: lsp.CompletionParams) -> lsp.CompletionList | None:
        """What can be written at the cursor."""
        file = self._documents.find(params.text_document.uri)
        if file is None:
            return None
        text, offset = file.text, file.text.offset(params.position)
        answer = await self._documents.run(partial(self._proposals, file, text.text, offset))
        word_range = text.range(Span(offset - answer.replaced_size, offset))
        items = [
            completion_item(proposal, place, word_range, self._client)
            for place, proposal in enumerate(answer.items)
        ]
        return lsp.CompletionList(is_incomplete=answer.more, items=items)

    def _proposals(self, file: OpenFile, text: str, offset: int) -> Proposals:
        settings = self._documents.settings(file, text)
        own_settings = self._documents.configuration.of(file.path).settings
        tests = partial(self._tests.tests_of, file.path, own_settings)
        examples = Examples(tuple(file.analyses.values()), tests)
        return proposals(text, offset, settings, examples)

    async def code_action(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """The code actions for a range."""
        file = self._documents.find(params.text_document.uri)
        if file is None:
            return []
        text, version, span = file.text, file.version, file.text.span(params.range)
        part = await self._documents.analysis_at(file, span.start)
        configuration = self._documents.configuration.of(file.path)
        fixes: dict[tuple[str, tuple[Edit, ...]], lsp.CodeAction] = {}
        if not configuration.excludes(file.path):
            # one by one, since each may need a proof, and other requests wait
            remaining_fixes = quick_fixes(text, part, span, configuration.minimum)
            while fix := await self._documents.run(partial(next, remaining_fixes, None)):
                problem = diagnostic(file.uri, text, part, fix.finding)
                if action := fixes.get((fix.title, fix.edits)):
                    action.diagnostics = [*(action.diagnostics or ()), problem]
                    continue
                edit = self._client.edit(file.uri, version, text, fix.edits)
                fixes[fix.title, fix.edits] = quick_fix(fix, [problem], edit)
        actions = [*fixes.values()]
        if self._client.creates_files:
            titles = await self._documents.run(lambda: [*testable_titles(part, span)])
            actions += [test_action(file.uri, title) for title in titles]
        return [action for action in actions if is_requested(action, params.context.only)]

    async def code_lens(self, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        """The verdicts of the health tests."""
        file = self._documents.find(params.text_document.uri)
        if file is None:
            return []
        text, settings = file.text, self._documents.configuration.of(file.path).settings
        tests = await self._documents.run(partial(self._tests.tests_of, file.path, settings))
        if not tests:
            return []
        parts = await self._documents.all_analyses(file)
        test_lenses = await self._documents.run(lambda: [*lenses(parts, tests)])
        return [code_lens(text, lens) for lens in test_lenses]

    async def begin(self, *args: Any) -> None:
        """Write a health test for the check with a title, in a new file."""
        match args:
            case (str(uri), str(title)) if file := self._documents.find(uri):
                settings = self._documents.configuration.of(file.path).settings
                catalog = settings.catalog
                work = partial(health_test, file.text.text, file.path, title, catalog)
                new_file = await self._documents.run(work)
                if new_file:
                    await self._client.create(new_file)
                else:
                    self._client.show(f"cannot write a health test for `{title}`")

    async def reveal(self, *args: Any) -> None:
        """Show a health test: the document of a file."""
        match args:
            case (str(path), int(document)):
                work = partial(line_of_test, Path(path), document)
                self._client.reveal(Path(path), await self._documents.run(work))


class Server(LanguageServer):
    """celvet as a language server; an internal error is one line in the client's log."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("celvet", __version__, protocol_cls=Protocol)
        self.client = Client(self, self.protocol)
        self.documents = Documents(Configuration())
        tests = WorkspaceTests()
        self._register_notifications(Watcher(self.client, self.documents, tests))
        self._register_requests(_Requests(self.client, self.documents, tests))

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

    def _register_requests(self, requests: _Requests) -> None:
        """Requests; the client may cancel any of them."""
        feature = self.feature
        options = lsp.CompletionOptions(trigger_characters=_COMPLETES_AFTER)
        kinds = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.Refactor]
        feature(lsp.TEXT_DOCUMENT_HOVER)(self._async(requests.hover))
        feature(lsp.TEXT_DOCUMENT_COMPLETION, options)(self._async(requests.completion))
        actions = lsp.CodeActionOptions(code_action_kinds=kinds)
        feature(lsp.TEXT_DOCUMENT_CODE_ACTION, actions)(self._async(requests.code_action))
        feature(lsp.TEXT_DOCUMENT_CODE_LENS)(self._async(requests.code_lens))
        self.command(BEGIN)(self._async(requests.begin))
        self.command(REVEAL)(self._async(requests.reveal))

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
