"""The answers to what an editor asks about an open file."""

from __future__ import annotations

from functools import partial

from lsprotocol import types as lsp

from celvet.lint.locate.edits import FileEdit
from celvet.lint.lsp.client import Client
from celvet.lint.lsp.features.actions import quick_fixes, testable_titles
from celvet.lint.lsp.features.completion.proposal import Proposals
from celvet.lint.lsp.features.completion.propose import Examples, proposals
from celvet.lint.lsp.features.diagnostics import diagnostic
from celvet.lint.lsp.features.hints import hints
from celvet.lint.lsp.features.hover import hover
from celvet.lint.lsp.features.lenses import lenses
from celvet.lint.lsp.features.tokens import tokens
from celvet.lint.lsp.features.trials import placed_checks
from celvet.lint.lsp.protocol_types import (
    check_lenses,
    code_lens,
    completion_item,
    inlay_hint,
    is_requested,
    quick_fix,
    semantic_tokens,
    test_action,
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
        fixes: dict[tuple[str, tuple[FileEdit, ...]], lsp.CodeAction] = {}
        if not configuration.excludes(file.path):
            # one by one, since each may need a proof, and other requests wait
            remaining_fixes = quick_fixes(text, part, span, configuration.minimum)
            while fix := await self._documents.run(partial(next, remaining_fixes, None)):
                problem = diagnostic(file.uri, text, part, fix.finding)
                # One change may mend several findings: it is offered once, for all of them.
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
        """The page of each check, and the verdicts of the health tests."""
        file = self._documents.find(params.text_document.uri)
        if file is None:
            return []
        text, settings = file.text, self._documents.configuration.of(file.path).settings
        parts = await self._documents.all_analyses(file)
        tests = await self._documents.run(partial(self._tests.tests_of, file.path, settings))
        test_lenses = await self._documents.run(lambda: [*lenses(parts, tests)] if tests else [])
        return [
            *(code_lens(text, lens) for lens in test_lenses),
            *(
                lens
                for part in parts
                for check in placed_checks(part)
                for lens in check_lenses(file.uri, text, check)
            ),
        ]

    async def inlay_hint(self, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        """The verdicts of the expressions in a range, over the lives of their kinds."""
        file = self._documents.find(params.text_document.uri)
        if file is None:
            return []
        text, span = file.text, file.text.span(params.range)
        answer = []
        for part in await self._documents.analyses_in(file, span):
            # check by check, since other requests wait
            remaining_hints = hints(part, span)
            while hint := await self._documents.run(partial(next, remaining_hints, None)):
                answer.append(inlay_hint(text, hint))
        return answer

    async def semantic_tokens(self, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        """The words of all expressions of a file."""
        return await self._tokens(params.text_document.uri, None)

    async def tokens_in_range(self, params: lsp.SemanticTokensRangeParams) -> lsp.SemanticTokens:
        """The words of the expressions in the documents that a range touches."""
        return await self._tokens(params.text_document.uri, params.range)

    async def _tokens(self, uri: str, range_: lsp.Range | None) -> lsp.SemanticTokens:
        file = self._documents.find(uri)
        if file is None:
            return lsp.SemanticTokens([])
        text = file.text
        span = text.span(range_) if range_ else Span(0, len(text.text))
        parts = await self._documents.analyses_in(file, span)
        return await self._documents.run(
            lambda: semantic_tokens(text, ((part.start, tokens(part.analysis)) for part in parts))
        )
