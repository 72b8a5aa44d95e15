"""A real Neovim: it opens a manifest, asks, applies a code action and writes the file.

It is configured by the lines that `docs/editors.md` tells a user to write.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_SCRIPT = Path(__file__).parent / "neovim.lua"
_CONFIG = (Path(__file__).parents[2] / "docs" / "editors.md").read_text(encoding="utf-8")
_NEOVIM = shutil.which("nvim")

pytestmark = pytest.mark.skipif(
    _NEOVIM is None, reason="there is no nvim here; apt-get install neovim"
)

_BEFORE = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: certs, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: cert-manager.io/v1
      kind: Certificate
      failed: status.conditions.filter(e, e.type == 'Bereit 🎈').all(e, e.status == 'False')
      current: status.conditions.filter(e, e.type == 'Bereit 🎈').all(e, e.status == 'True')
    - apiVersion: cert-manager.io/v1
      kind: Issuer
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
"""
_AFTER = _BEFORE.replace(
    "filter(e, e.type == 'Bereit 🎈').all(e, e.status",
    "exists(e, e.type == 'Bereit 🎈' && e.status",
)


def _run(directory: Path) -> tuple[dict[str, Any], str]:
    manifest, answers = directory / "ks.yaml", directory / "answers.json"
    manifest.write_text(_BEFORE, encoding="utf-8")
    config = directory / "init.lua"
    config.write_text(_CONFIG.split("```lua\n")[1].split("```")[0], encoding="utf-8")
    given = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "CONFIG": str(config),
        "MANIFEST": str(manifest),
        "ANSWERS": str(answers),
        "HOME": str(directory),
        "XDG_STATE_HOME": str(directory),
    }
    command = [_NEOVIM, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", str(_SCRIPT)]
    done = subprocess.run(
        command,
        env={**os.environ, **given},
        cwd=directory,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert answers.exists(), done.stderr.decode()
    return json.loads(answers.read_text(encoding="utf-8")), manifest.read_text(encoding="utf-8")


def test_a_user_at_work(tmp_path: Path) -> None:
    answers, written = _run(tmp_path)
    # Neovim's columns are bytes: the balloon has four of them, and two units in UTF-16.
    line = _BEFORE.splitlines()[11]
    start, end = line.index("status"), len(line.encode())
    assert answers["diagnostics"] == [
        ["premature-failed", 11, start, end],
        ["missing-failed", 15, 6, 13],
    ]
    assert answers["hover"].startswith("`x.filter(e, test)`")
    assert "| just created, without a status | error | error | Unknown |" in answers["hover"]
    assert answers["completion"][:3] == ["type", "status", "reason"]
    assert answers["action"] == "Write `exists` for `filter` and `all`."
    assert answers["after"] == [["missing-failed", 15, 6, 13]]
    assert written == _AFTER
