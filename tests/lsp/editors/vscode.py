"""A real VS Code in the browser, with the extension of this tree, for tests and the picture.

The server is that of code-server, which `make tools` installs as `vscode-server`.
"""

from __future__ import annotations

import fcntl
import json
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from urllib.parse import quote

from celvet.version import __version__
from docs.generate import ROOT
from tests.browser import Page, chromium

EXTENSION = ROOT / "editors" / "vscode"
LACK = (
    "there is no vscode-server (make tools; npm)"
    if shutil.which("vscode-server") is None
    else "the packages of editors/vscode are not installed (make tools; npm)"
    if not (EXTENSION / "node_modules").exists()
    else ""
)
"""Why VS Code cannot be run here; empty if it can."""

SETTINGS = {
    "celvet.path": str(Path(sys.executable).parent / "celvet"),
    "celvet.delay": 20,
    "security.workspace.trust.enabled": False,
    "workbench.startupEditor": "none",
}
TEXT = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: cache, namespace: flux-system}
spec:
  interval: 1h
  timeout: 5m
  prune: true
  wait: true
  path: ./cache
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: dragonflydb.io/v1alpha1
      kind: Dragonfly
      failed: status.phase != 'Ready'
      current: >-
        has(status.phase) &&
        status.phase == 'Ready'
    - apiVersion: cert-manager.io/v1
      kind: Certificate
      current: status.conditions.exists(e, e.type = 'Ready')
"""


def packaged(directory: Path) -> Path:
    """The extension as `make extension` packages it, in a directory; workers take turns."""
    command = ["make", "-s", "-C", str(ROOT), "extension"]
    with (EXTENSION / "package.json").open(encoding="utf-8") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stdout + made.stderr
        return Path(shutil.copy(ROOT / "dist" / f"celvet-{__version__}.vsix", directory))


@contextmanager
def _served(directory: Path, environment: dict[str, str] | None) -> Iterator[str]:
    """The address of a server with the extension, whose data is in a directory."""
    options = [
        *("--accept-server-license-terms", "--telemetry-level", "off"),
        *("--server-data-dir", str(directory / "server")),
        *("--extensions-dir", str(directory / "extensions")),
        *("--user-data-dir", str(directory / "data")),
    ]
    install = ["vscode-server", *options, "--install-extension", str(packaged(directory))]
    subprocess.run(install, capture_output=True, check=True)
    serve = ["vscode-server", *options, "--host", "127.0.0.1", "--port", "0"]
    serve.append("--without-connection-token")
    with subprocess.Popen(
        serve, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout
        try:
            line = next(line for line in server.stdout if line.startswith("Web UI available"))
            yield f"http://127.0.0.1:{line.rpartition(':')[2].strip()}"
        finally:
            server.terminate()


@asynccontextmanager
async def vscode(
    directory: Path,
    text: str = TEXT,
    settings: dict[str, object] = SETTINGS,
    environment: dict[str, str] | None = None,
) -> AsyncIterator[Page]:
    """A window with one file open."""
    workspace, user = directory / "clusters", directory / "data" / "User"
    for folder in (workspace, user):
        folder.mkdir(parents=True)
    file = workspace / "cache.yaml"
    file.write_text(text, encoding="utf-8")
    (user / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    with _served(directory, environment) as address:
        async with chromium(directory) as page:
            page.patience = 120
            await page.window(1300, 640)
            host = address.removeprefix("http://")
            opened = json.dumps([["openFile", f"vscode-remote://{host}{file}"]])
            query = f"folder={quote(str(workspace))}&payload={quote(opened)}"
            await page.open(f"{address}/?{query}")
            yield page
