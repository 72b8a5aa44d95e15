"""Completion items, hints, tokens, lenses and code actions in the types of the protocol."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lsprotocol import types as lsp

from celvet.lint.lsp.client import Client
from celvet.lint.lsp.features.actions import QuickFix
from celvet.lint.lsp.features.completion.proposal import Proposal
from celvet.lint.lsp.features.hints import Hint
from celvet.lint.lsp.features.lenses import Lens
from celvet.lint.lsp.features.tokens import LEGEND, Token
from celvet.lint.lsp.features.trials import PlacedCheck
from celvet.lint.lsp.state.positions import EditorText
from celvet.lint.model import Span

BEGIN, REVEAL = "celvet.beginHealthTest", "celvet.showHealthTest"
EXPLAIN, TRY, SUGGEST = "celvet.explain", "celvet.try", "celvet.suggest"
PAGE, STATES, JUDGE, KINDS = "celvet.page", "celvet.states", "celvet.judge", "celvet.kinds"
"""Commands of the server, which the client sends back with the arguments that it got.

Those of the last line only answer, for an extension that shows the answer in its own way.
"""


def completion_item(
    item: Proposal, index: int, word_range: lsp.Range, client: Client
) -> lsp.CompletionItem:
    """An item that replaces a range; only its name if the client does not know snippets.

    Editors sort by a text, so `sort_text` has the place in the answer.
    """
    is_snippet = item.snippet and client.snippets
    text = item.label if item.snippet and not is_snippet else item.insert or item.label
    form = lsp.InsertTextFormat.Snippet if is_snippet else lsp.InsertTextFormat.PlainText
    return lsp.CompletionItem(
        label=item.label,
        kind=item.kind,
        detail=item.detail or None,
        documentation=client.completion_text(item.documentation),
        sort_text=f"{item.rank}{index:05}",
        insert_text_format=form,
        text_edit=lsp.TextEdit(word_range, text),
    )


def code_lens(text: EditorText, lens: Lens) -> lsp.CodeLens:
    """A lens above the first line of its check, which leads to the test."""
    document = lens.test.place(()).document
    command = lsp.Command(lens.title, REVEAL, arguments=[lens.test.file, document])
    return lsp.CodeLens(text.range(Span(lens.extent.start, lens.extent.start)), command)


def check_lenses(uri: str, text: EditorText, check: PlacedCheck) -> Iterator[lsp.CodeLens]:
    """The lenses above a check: its page, and its verdict on an object."""
    start = text.position(check.extent.start)
    for title, name in (("explain", EXPLAIN), ("try on an object", TRY)):
        command = lsp.Command(title, name, arguments=[uri, start.line, start.character])
        yield lsp.CodeLens(lsp.Range(start, start), command)


def inlay_hint(text: EditorText, hint: Hint) -> lsp.InlayHint:
    """A hint behind an expression."""
    return lsp.InlayHint(
        text.position(hint.offset), hint.text, tooltip=hint.subject, padding_left=True
    )


def semantic_tokens(
    text: EditorText, parts: Iterable[tuple[int, Sequence[Token]]]
) -> lsp.SemanticTokens:
    """The tokens of documents that begin at these offsets, each relative to the one before."""
    data: list[int] = []
    previous = lsp.Position(0, 0)
    for offset, tokens in parts:
        for (start, end), kind in tokens:
            begin, finish = text.position(offset + start), text.position(offset + end)
            line = begin.line - previous.line
            column = begin.character - (0 if line else previous.character)
            data += (line, column, finish.character - begin.character, LEGEND.index(kind), 0)
            previous = begin
    return lsp.SemanticTokens(data)


def quick_fix(
    fix: QuickFix, diagnostics: Sequence[lsp.Diagnostic], edit: lsp.WorkspaceEdit
) -> lsp.CodeAction:
    """The action that makes the edits of a fix."""
    return lsp.CodeAction(
        title=fix.title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=diagnostics,
        is_preferred=fix.safe,
        edit=edit,
    )


def test_action(uri: str, title: str) -> lsp.CodeAction:
    """The action that writes a health test for a check."""
    command = lsp.Command("Write a health test", BEGIN, arguments=[uri, title])
    label = f"Write a health test for {title}"
    return lsp.CodeAction(label, kind=lsp.CodeActionKind.Refactor, command=command)


def is_requested(action: lsp.CodeAction, only: Sequence[str] | None) -> bool:
    """Whether the client wants actions of its kind."""
    kind = str(action.kind.value if isinstance(action.kind, lsp.CodeActionKind) else action.kind)
    requests = [
        request.value if isinstance(request, lsp.CodeActionKind) else request
        for request in only or ()
    ]
    return not requests or any(
        kind == request or kind.startswith(f"{request}.") for request in requests
    )
