"""Completion items, code lenses and code actions in the types of the protocol."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp

from celvet.lint.lsp.client import Client
from celvet.lint.lsp.features.actions import QuickFix
from celvet.lint.lsp.features.completion.proposal import Proposal
from celvet.lint.lsp.features.lenses import Lens
from celvet.lint.lsp.state.positions import EditorText
from celvet.lint.model import Span

BEGIN, REVEAL = "celvet.beginHealthTest", "celvet.showHealthTest"
"""Commands of the server, which the client sends back with the arguments that it got."""


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
