"""What is proposed, as the protocol has it."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp

from celvet.lint.lsp.client import Client
from celvet.lint.lsp.features.completion.item import Item
from celvet.lint.lsp.features.lenses import Lens
from celvet.lint.lsp.state.positions import Text
from celvet.lint.model import Span

BEGIN, REVEAL = "celvet.beginHealthTest", "celvet.showHealthTest"
"""Our commands, which the client sends back with the arguments that it got."""


def completion_item(
    item: Item, place: int, replaced: lsp.Range, client: Client
) -> lsp.CompletionItem:
    """A proposal that takes the place of a range; just the name for who knows no snippets.

    Editors sort by a text, so that the proposal's place in the answer is in there.
    """
    filled = item.snippet and client.snippets
    text = item.label if item.snippet and not filled else item.insert or item.label
    form = lsp.InsertTextFormat.Snippet if filled else lsp.InsertTextFormat.PlainText
    return lsp.CompletionItem(
        label=item.label,
        kind=item.kind,
        detail=item.detail or None,
        documentation=client.completion_text(item.documentation),
        sort_text=f"{item.rank}{place:05}",
        insert_text_format=form,
        text_edit=lsp.TextEdit(replaced, text),
    )


def code_lens(text: Text, lens: Lens) -> lsp.CodeLens:
    """A lens above the first line of its entry, which leads to the test."""
    document = lens.test.place(()).document
    command = lsp.Command(lens.title, REVEAL, arguments=[lens.test.file, document])
    return lsp.CodeLens(text.range(Span(lens.extent.start, lens.extent.start)), command)


def beginning(uri: str, title: str) -> lsp.CodeAction:
    """The action that begins a health test for an entry."""
    command = lsp.Command("Begin a health test", BEGIN, arguments=[uri, title])
    said = f"Begin a health test for {title}"
    return lsp.CodeAction(said, kind=lsp.CodeActionKind.Refactor, command=command)


def asked_for(action: lsp.CodeAction, only: Sequence[str] | None) -> bool:
    """Whether the client wants actions of its kind."""
    kind = str(action.kind.value if isinstance(action.kind, lsp.CodeActionKind) else action.kind)
    wanted = [each.value if isinstance(each, lsp.CodeActionKind) else each for each in only or ()]
    return not wanted or any(kind == each or kind.startswith(f"{each}.") for each in wanted)
