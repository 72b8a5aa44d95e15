"""How long an editor waits for `celvet lsp` on a file of 2,000 lines, request by request.

    python -m bench.lsp_latency

One file has many YAML documents, the other a single one. Every request is about another place of
the file and follows a keystroke there, which its answer must take into account; `again` is the same
request a second time. The keystroke also starts the diagnostics, so a request may have to wait for
them. Times run from the message to the answer, both through pipes.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from pygls.protocol import LanguageServerProtocol

from bench.lsp_files import FILES, File

ROUNDS = 25
DELAY = 0

_CHANGE = " && true"
"""Typed at the end of an expression, so that everything about it must be analysed again."""

_CAPABILITIES = lsp.ClientCapabilities(
    workspace=lsp.WorkspaceClientCapabilities(
        apply_edit=True,
        workspace_edit=lsp.WorkspaceEditClientCapabilities(
            document_changes=True, resource_operations=[lsp.ResourceOperationKind.Create]
        ),
    )
)


class _Protocol(LanguageServerProtocol):
    """Notes when diagnostics arrive, without decoding them, which takes 6 ms for 228 of them."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.arrived: dict[int | None, list[float]] = defaultdict(list)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """As in `LanguageServerProtocol`: called for each object of a message, the message last."""
        if data.get("method") == lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS:
            self.arrived[data["params"].get("version")].append(time.perf_counter())
        return super().structure_message(data)


class _Editor:
    """Types, sends requests and measures the time."""

    def __init__(self, file: File, directory: Path) -> None:
        self.lines = file.lines()
        self.path = directory / "ks.yaml"
        self.path.write_text("\n".join(self.lines), encoding="utf-8")
        (directory / "test.yaml").write_text(file.test(), encoding="utf-8")
        self.uri = self.path.as_uri()
        self.document = lsp.TextDocumentIdentifier(self.uri)
        self.version = 1
        self.published: dict[int | None, asyncio.Event] = {}
        self.first = asyncio.Event()
        self.client = LanguageClient("bench", "1", protocol_cls=_Protocol)

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def _(params: lsp.PublishDiagnosticsParams) -> None:
            # When a file is opened, its errors come first.
            if self.first.is_set():
                self.published.setdefault(params.version, asyncio.Event()).set()
            self.first.set()

    async def start(self) -> tuple[float, float]:
        """Start the server and open the file; the seconds until the errors, and until the rest."""
        celvet = str(Path(sys.executable).parent / "celvet")
        await self.client.start_io(celvet, "lsp")
        folder = lsp.WorkspaceFolder(self.path.parent.as_uri(), "bench")
        await self.client.initialize_async(
            lsp.InitializeParams(
                _CAPABILITIES, workspace_folders=[folder], initialization_options={"delay": DELAY}
            )
        )
        self.client.initialized(lsp.InitializedParams())
        start = time.perf_counter()
        item = lsp.TextDocumentItem(self.uri, "yaml", 1, "\n".join(self.lines))
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        opened = await self.diagnosed(start)
        return self._arrived[0] - start, opened

    async def diagnosed(self, start: float) -> float:
        """Seconds from this moment to the diagnostics of the newest text."""
        await self.published.setdefault(self.version, asyncio.Event()).wait()
        return self._arrived[-1] - start

    @property
    def _arrived(self) -> list[float]:
        """When the diagnostics of the newest text arrived."""
        protocol = self.client.protocol
        assert isinstance(protocol, _Protocol)
        return protocol.arrived[self.version]

    def type(self, at: lsp.Position, text: str) -> lsp.Position:
        """Write a text at the end of a line; returns the position after it."""
        *_, last = lines = text.split("\n")
        above = len(lines) - 1
        self._change(lsp.Range(at, at), text)
        return lsp.Position(at.line + above, len(last) + (0 if above else at.character))

    def take_back(self, at: lsp.Position, end: lsp.Position) -> None:
        """Remove what was typed."""
        self._change(lsp.Range(at, end), "")

    def _change(self, where: lsp.Range, text: str) -> None:
        self.version += 1
        change = lsp.TextDocumentContentChangePartial(where, text)
        document = lsp.VersionedTextDocumentIdentifier(self.version, self.uri)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    def places(self, beginning: str) -> list[lsp.Position]:
        """The ends of lines that begin with this text, from all over the file."""
        found = [at for at, line in enumerate(self.lines) if line.lstrip().startswith(beginning)]
        spread = found[:: len(found) // ROUNDS][:ROUNDS]
        return [lsp.Position(at, len(self.lines[at])) for at in spread]

    async def hover(self, at: lsp.Position) -> object:
        at = lsp.Position(at.line, at.character - 20)
        return await self.client.text_document_hover_async(lsp.HoverParams(self.document, at))

    async def completion(self, at: lsp.Position) -> object:
        params = lsp.CompletionParams(self.document, at)
        return await self.client.text_document_completion_async(params)

    async def actions(self, at: lsp.Position) -> object:
        params = lsp.CodeActionParams(self.document, lsp.Range(at, at), lsp.CodeActionContext([]))
        return await self.client.text_document_code_action_async(params)

    async def lenses(self, _: lsp.Position) -> object:
        params = lsp.CodeLensParams(self.document)
        return await self.client.text_document_code_lens_async(params)

    async def hints(self, at: lsp.Position) -> object:
        window = lsp.Range(lsp.Position(max(0, at.line - 25), 0), lsp.Position(at.line + 25, 0))
        params = lsp.InlayHintParams(self.document, window)
        return await self.client.text_document_inlay_hint_async(params)

    async def tokens(self, _: lsp.Position) -> object:
        params = lsp.SemanticTokensParams(self.document)
        return await self.client.text_document_semantic_tokens_full_async(params)


_REQUESTS = (
    ("hover", "failed: status", _CHANGE, _Editor.hover),
    ("completion in an expression", "current: status", " && status.", _Editor.completion),
    ("completion of a key", "- apiVersion", "\n      fa", _Editor.completion),
    ("code actions", "failed: status", _CHANGE, _Editor.actions),
    ("code lenses", "failed: status", _CHANGE, _Editor.lenses),
    ("inlay hints of 50 lines", "failed: status", _CHANGE, _Editor.hints),
    ("semantic tokens", "failed: status", _CHANGE, _Editor.tokens),
)
"""The requests: where to send them, given by the start of a line, and after which keystroke."""


async def _typing(editor: _Editor) -> list[float]:
    """Milliseconds from a keystroke to the diagnostics."""
    times = []
    for at in editor.places("failed: status"):
        start = time.perf_counter()
        end = editor.type(at, _CHANGE)
        times.append(1000 * await editor.diagnosed(start))
        editor.take_back(at, end)
        await editor.diagnosed(start)
    return times


async def _measured(
    editor: _Editor,
    beginning: str,
    typed: str,
    ask: Callable[[_Editor, lsp.Position], Awaitable[object]],
) -> tuple[list[float], list[float]]:
    """Milliseconds of the first answers after a keystroke, and of the answers to the same again."""
    first: list[float] = []
    again: list[float] = []
    for at in editor.places(beginning):
        begun = time.perf_counter()
        end = editor.type(at, typed)
        for times in (first, again):
            start = time.perf_counter()
            if await ask(editor, end) is None:
                raise SystemExit(f"no answer from {ask} at {at}")
            times.append(1000 * (time.perf_counter() - start))
        await editor.diagnosed(begun)
        editor.take_back(at, end)
        await editor.diagnosed(begun)
    return first, again


async def _file(file: File) -> None:
    with TemporaryDirectory() as directory:
        editor = _Editor(file, Path(directory))
        errors, opened = await editor.start()
        print(f"{len(editor.lines)} lines, {file.name}, after opening: errors {errors:.2f} s,")
        print(f"  all diagnostics {opened:.1f} s")
        print(f"  diagnostics after a keystroke, delay {DELAY}: {_shown(await _typing(editor))}")
        for name, beginning, typed, ask in _REQUESTS:
            first, again = await _measured(editor, beginning, typed, ask)
            print(f"  {name}: {_shown(first)}; again {_shown(again)}")
        await editor.client.shutdown_async(None)
        editor.client.exit(None)
        await editor.client.stop()  # type: ignore[no-untyped-call]


async def _main() -> None:
    for file in FILES:
        await _file(file)


def _shown(times: list[float]) -> str:
    middle, ninth = statistics.median(times), statistics.quantiles(times, n=10)[-1]
    return f"median {middle:.0f} ms, 90 % within {ninth:.0f} ms"


if __name__ == "__main__":
    asyncio.run(_main())
