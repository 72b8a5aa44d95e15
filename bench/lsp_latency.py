"""How long an editor waits for `celvet lsp` on a file of 2,000 lines, request by request.

    python -m bench.lsp_latency

Every request is sent on another place of the file and right after a keystroke there,
so that nothing about the document under the cursor is known yet; `again` is the same
request a second time. Times go from the message to the answer, both through pipes.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

LINES = 2_000
ROUNDS = 25
DELAY = 0

_DOCUMENT = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: app-{0}
  namespace: flux-system
spec:
  interval: 1h
  path: ./apps/{0}
  prune: true
  wait: true
  sourceRef:
    kind: GitRepository
    name: flux-system
  dependsOn:
    - name: infrastructure-{0}
      readyExpr: >-
        dep.metadata.generation == dep.status.observedGeneration &&
        dep.metadata.labels['wave'] < self.metadata.labels['wave-{0}']
  healthCheckExprs:
    - apiVersion: cert-manager.io/v1
      kind: Certificate
      inProgress: >-
        !has(status.conditions) ||
        status.conditions.exists(e, e.type == 'Issuing' && e.reason == 'Renewing{0}')
      failed: >-
        status.conditions.exists(e, e.type == 'Ready{0}' &&
        e.observedGeneration == metadata.generation && e.status == 'False')
      current: >-
        status.conditions.exists(e, e.type == 'Ready{0}' &&
        e.observedGeneration == metadata.generation && e.status == 'True')
    - apiVersion: cluster.x-k8s.io/v1beta1
      kind: Cluster
      failed: status.phase == 'Failed{0}'
      current: status.conditions.exists(e, e.type == 'Available{0}' && e.status == 'True')
---
"""
_TEST = """\
apiVersion: celvet.dev/v1alpha1
kind: HealthTest
metadata: {name: cluster}
target:
  file: ks.yaml
  kind: Kustomization
  name: app-7
  entry: {apiVersion: cluster.x-k8s.io/v1beta1, kind: Cluster}
cases:
  - name: fresh
    object: {apiVersion: cluster.x-k8s.io/v1beta1, kind: Cluster, status: {phase: Ready}}
    expect: Unknown
"""

_CAPABILITIES = lsp.ClientCapabilities(
    workspace=lsp.WorkspaceClientCapabilities(
        apply_edit=True,
        workspace_edit=lsp.WorkspaceEditClientCapabilities(
            document_changes=True, resource_operations=[lsp.ResourceOperationKind.Create]
        ),
    )
)


class _Editor:
    """Types, asks and takes the time."""

    def __init__(self, directory: Path) -> None:
        count = LINES // _DOCUMENT.count("\n")
        self.lines = "".join(_DOCUMENT.format(number) for number in range(count)).splitlines()
        self.path = directory / "ks.yaml"
        self.path.write_text("\n".join(self.lines), encoding="utf-8")
        (directory / "test.yaml").write_text(_TEST, encoding="utf-8")
        self.uri = self.path.as_uri()
        self.document = lsp.TextDocumentIdentifier(self.uri)
        self.version = 1
        self.published: dict[int | None, asyncio.Event] = {}
        self.client = LanguageClient("bench", "1")

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _(params: lsp.PublishDiagnosticsParams) -> None:
            self.published.setdefault(params.version, asyncio.Event()).set()

    async def start(self) -> float:
        """Start the server and open the file; seconds until there are diagnostics."""
        celvet = str(Path(sys.executable).parent / "celvet")
        await self.client.start_io(celvet, "lsp")
        folder = lsp.WorkspaceFolder(self.path.parent.as_uri(), "bench")
        await self.client.initialize_async(
            lsp.InitializeParams(
                _CAPABILITIES,
                workspace_folders=[folder],
                initialization_options={"delay": DELAY},
            )
        )
        self.client.initialized(lsp.InitializedParams())
        start = time.perf_counter()
        item = lsp.TextDocumentItem(self.uri, "yaml", 1, "\n".join(self.lines))
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return await self.diagnosed(start)

    async def diagnosed(self, start: float) -> float:
        """Seconds from a moment to the diagnostics of the newest text."""
        await self.published.setdefault(self.version, asyncio.Event()).wait()
        return time.perf_counter() - start

    def type(self, line: int, text: str) -> None:
        """Put a text in the place of a line's end."""
        self.version += 1
        end = lsp.Position(line, len(self.lines[line]))
        self.lines[line] += text
        change = lsp.TextDocumentContentChangePartial(lsp.Range(end, end), text)
        where = lsp.VersionedTextDocumentIdentifier(self.version, self.uri)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(where, [change]))

    def places(self, beginning: str) -> list[lsp.Position]:
        """The ends of the lines with a beginning, from all over the file."""
        found = [at for at, line in enumerate(self.lines) if line.lstrip().startswith(beginning)]
        return [lsp.Position(at, len(self.lines[at])) for at in found[:ROUNDS]]

    async def hover(self, at: lsp.Position) -> object:
        at = lsp.Position(at.line, at.character - 20)
        return await self.client.text_document_hover_async(lsp.HoverParams(self.document, at))

    async def completion(self, at: lsp.Position) -> object:
        at = lsp.Position(at.line, len(self.lines[at.line]))
        params = lsp.CompletionParams(self.document, at)
        return await self.client.text_document_completion_async(params)

    async def actions(self, at: lsp.Position) -> object:
        params = lsp.CodeActionParams(self.document, lsp.Range(at, at), lsp.CodeActionContext([]))
        return await self.client.text_document_code_action_async(params)

    async def lenses(self, _: lsp.Position) -> object:
        params = lsp.CodeLensParams(self.document)
        return await self.client.text_document_code_lens_async(params)


async def _measured(
    editor: _Editor, places: list[lsp.Position], typed: str, ask: Callable[..., Awaitable[object]]
) -> tuple[list[float], list[float]]:
    """Milliseconds of the first answers after a keystroke, and of the second ones."""
    first, again = [], []
    for at in places:
        begun = time.perf_counter()
        editor.type(at.line, typed)
        for times in (first, again):
            start = time.perf_counter()
            if await ask(at) is None:
                raise SystemExit(f"no answer from {ask} at {at}")
            times.append(1000 * (time.perf_counter() - start))
        await editor.diagnosed(begun)
    return first, again


async def _main() -> None:
    with TemporaryDirectory() as directory:
        editor = _Editor(Path(directory))
        opened = await editor.start()
        print(f"{len(editor.lines)} lines; diagnostics {opened:.1f} s after the file was opened")
        typed = []
        for at in editor.places("failed: status"):
            start = time.perf_counter()
            editor.type(at.line, " ")
            typed.append(1000 * await editor.diagnosed(start))
        print(f"diagnostics after a keystroke, delay {DELAY}: {_shown(typed)}")
        for name, beginning, text, ask in (
            ("hover", "failed: status", " ", editor.hover),
            ("completion in an expression", "current: status", " && status.", editor.completion),
            ("completion of a key", "- apiVersion", "\n      fa", _at_new_line(editor)),
            ("code actions", "failed: status", " ", editor.actions),
            ("code lenses", "failed: status", " ", editor.lenses),
        ):
            first, again = await _measured(editor, editor.places(beginning), text, ask)
            print(f"{name}: {_shown(first)}; again {_shown(again)}")
        await editor.client.shutdown_async(None)
        editor.client.exit(None)
        await editor.client.stop()


def _at_new_line(editor: _Editor) -> Callable[..., Awaitable[object]]:
    """Asks at the end of the line that was typed below a place; the file is then as before."""

    async def ask(at: lsp.Position) -> object:
        params = lsp.CompletionParams(editor.document, lsp.Position(at.line + 1, 8))
        return await editor.client.text_document_completion_async(params)

    return ask


def _shown(times: list[float]) -> str:
    middle, ninth = statistics.median(times), statistics.quantiles(times, n=10)[-1]
    return f"median {middle:.0f} ms, 90 % within {ninth:.0f} ms"


if __name__ == "__main__":
    asyncio.run(_main())
