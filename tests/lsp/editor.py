"""An editor that talks to the language server; a `|` in a text is where its cursor is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pytest_lsp import LanguageClient

PUBLISHED = lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS


class Editor:
    """One open file."""

    def __init__(self, client: LanguageClient, path: Path) -> None:
        self.client = client
        self.path = path
        self.uri = path.as_uri()
        self.text = ""
        self.version = 0

    @property
    def document(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri)

    async def open(self, text: str) -> list[str]:
        """Open the file with a text; the rules that report something."""
        self.text, self.version = text, 1
        item = lsp.TextDocumentItem(self.uri, "yaml", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return await self.diagnosed()

    def change(self, range_: lsp.Range | None, text: str) -> None:
        """Replace a range, or everything."""
        self.version += 1
        change: lsp.TextDocumentContentChangeEvent = (
            lsp.TextDocumentContentChangePartial(range_, text)
            if range_
            else lsp.TextDocumentContentChangeWholeDocument(text)
        )
        where = lsp.VersionedTextDocumentIdentifier(self.version, self.uri)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(where, [change]))

    def type(self, text: str) -> lsp.Position:
        """Replace everything; the place of the cursor."""
        at = text.index("|")
        self.text = text[:at] + text[at + 1 :]
        self.change(None, self.text)
        return position(self.text, at)

    async def diagnosed(self) -> list[str]:
        """Wait for the next diagnostics; the rules that report something."""
        await self.client.wait_for_notification(PUBLISHED)
        return self.rules()

    def rules(self) -> list[str]:
        return [str(each.code) for each in self.client.diagnostics[self.uri]]

    async def hover(self, at: lsp.Position) -> str:
        found = await self.client.text_document_hover_async(lsp.HoverParams(self.document, at))
        return found.contents.value if found else ""  # type: ignore[union-attr]

    async def completion(self, at: lsp.Position) -> list[lsp.CompletionItem]:
        params = lsp.CompletionParams(self.document, at)
        found = await self.client.text_document_completion_async(params)
        assert isinstance(found, lsp.CompletionList)
        return sorted(found.items, key=lambda item: item.sort_text or "")

    async def actions(self, range_: lsp.Range, *only: str) -> Sequence[Any]:
        context = lsp.CodeActionContext([], only=list(only) or None)
        params = lsp.CodeActionParams(self.document, range_, context)
        return await self.client.text_document_code_action_async(params) or []

    async def lenses(self, command: str = "celvet.showHealthTest") -> list[lsp.Command]:
        """The lenses that start a command."""
        params = lsp.CodeLensParams(self.document)
        found = await self.client.text_document_code_lens_async(params)
        commands = [each.command for each in found or () if each.command]
        return [each for each in commands if each.command == command]

    async def hints(self, range_: lsp.Range) -> list[lsp.InlayHint]:
        params = lsp.InlayHintParams(self.document, range_)
        return [*(await self.client.text_document_inlay_hint_async(params) or ())]

    async def run(self, command: str, *args: Any) -> Any:
        params = lsp.ExecuteCommandParams(command, arguments=[self.uri, *args])
        return await self.client.workspace_execute_command_async(params)


def position(text: str, offset: int) -> lsp.Position:
    """The position of an offset in UTF-16."""
    before = text[:offset]
    line = before.rpartition("\n")[2]
    return lsp.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)


def around(text: str, part: str) -> lsp.Range:
    """The range of a part of a text."""
    start = text.index(part)
    return lsp.Range(position(text, start), position(text, start + len(part)))


def applied(text: str, edits: Sequence[lsp.TextEdit]) -> str:
    """The text after edits on lines of ASCII."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def offset(at: lsp.Position) -> int:
        return starts[at.line] + at.character

    for edit in sorted(edits, key=lambda each: offset(each.range.start), reverse=True):
        start, end = offset(edit.range.start), offset(edit.range.end)
        text = text[:start] + edit.new_text + text[end:]
    return text
