"""Answers the requests of the editor."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from celvet.lint.locate.edits import Edit
from celvet.lint.lsp.client import Client
from celvet.lint.lsp.features.actions import quick_fixes, testable
from celvet.lint.lsp.features.completion.proposal import Proposals
from celvet.lint.lsp.features.completion.propose import Known, proposals
from celvet.lint.lsp.features.diagnostics import diagnostic
from celvet.lint.lsp.features.hover import hover
from celvet.lint.lsp.features.lenses import lenses
from celvet.lint.lsp.features.scaffolding import health_test, line_of_test
from celvet.lint.lsp.protocol_types import (
    asked_for,
    beginning,
    code_lens,
    completion_item,
    quick_fix,
)
from celvet.lint.lsp.state.documents import Documents, OpenFile
from celvet.lint.lsp.state.workspace import WorkspaceTests
from celvet.lint.model import Span


class Requests:
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
        placed = await self._documents.analysis_at(file, offset)
        found = await self._documents.run(partial(hover, placed.analysis, offset - placed.start))
        if found is None:
            return None
        start, end = found.extent
        content = self._client.hover_text(found.markdown)
        return lsp.Hover(content, text.range(Span(start + placed.start, end + placed.start)))

    async def completion(self, params: lsp.CompletionParams) -> lsp.CompletionList | None:
        """What can be written at the cursor."""
        file = self._documents.find(params.text_document.uri)
        if file is None:
            return None
        text, offset = file.text, file.text.offset(params.position)
        found = await self._documents.run(partial(self._proposals, file, text.text, offset))
        replaced = text.range(Span(offset - found.typed, offset))
        items = [
            completion_item(each, place, replaced, self._client)
            for place, each in enumerate(found.items)
        ]
        return lsp.CompletionList(is_incomplete=found.more, items=items)

    def _proposals(self, file: OpenFile, text: str, offset: int) -> Proposals:
        settings = self._documents.settings(file, text)
        given = self._documents.configuration.of(file.path).settings
        tests = partial(self._tests.about, file.path, given)
        known = Known(tuple(file.analyses.values()), tests, file.cache.manifest)
        return proposals(text, offset, settings, known)

    async def code_action(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """The code actions for a range."""
        file = self._documents.find(params.text_document.uri)
        if file is None:
            return []
        text, version, span = file.text, file.version, file.text.span(params.range)
        placed = await self._documents.analysis_at(file, span.start)
        chosen = self._documents.configuration.of(file.path)
        fixes: dict[tuple[str, tuple[Edit, ...]], lsp.CodeAction] = {}
        if not chosen.excludes(file.path):
            # one by one, since each may need a proof, and other requests wait
            made = quick_fixes(text, placed, span, chosen.minimum)
            while each := await self._documents.run(partial(next, made, None)):
                made_for = diagnostic(file.uri, text, placed, each.finding)
                if known := fixes.get((each.title, each.edits)):
                    known.diagnostics = [*(known.diagnostics or ()), made_for]
                    continue
                edit = self._client.edit(file.uri, version, text, each.edits)
                fixes[each.title, each.edits] = quick_fix(each, [made_for], edit)
        actions = [*fixes.values()]
        if self._client.creates_files:
            titles = await self._documents.run(lambda: [*testable(placed, span)])
            actions += [beginning(file.uri, title) for title in titles]
        return [each for each in actions if asked_for(each, params.context.only)]

    async def code_lens(self, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        """The verdicts of the health tests."""
        file = self._documents.find(params.text_document.uri)
        if file is None:
            return []
        text, settings = file.text, self._documents.configuration.of(file.path).settings
        tests = await self._documents.run(partial(self._tests.about, file.path, settings))
        if not tests:
            return []
        parts = await self._documents.all_analyses(file)
        found = await self._documents.run(lambda: [*lenses(parts, tests)])
        return [code_lens(text, each) for each in found]

    async def begin(self, *args: Any) -> None:
        """Write a health test for the check with a title, in a new file."""
        match args:
            case (str(uri), str(title)) if file := self._documents.find(uri):
                settings = self._documents.configuration.of(file.path).settings
                catalog = settings.catalog
                work = partial(health_test, file.text.text, file.path, title, catalog)
                made = await self._documents.run(work)
                if made:
                    await self._client.create(made)
                else:
                    self._client.show(f"cannot write a health test for `{title}`")

    async def reveal(self, *args: Any) -> None:
        """Show a health test: the document of a file."""
        match args:
            case (str(path), int(document)):
                work = partial(line_of_test, Path(path), document)
                self._client.reveal(Path(path), await self._documents.run(work))
