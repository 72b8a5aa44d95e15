"""What the editors of these tests are configured by, and the file that a user opens in them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_PAGE = (Path(__file__).parents[2] / "docs" / "editors.md").read_text(encoding="utf-8")

PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
"""Where an editor finds `celvet`."""

BEFORE = """\
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
AFTER = BEFORE.replace(
    "filter(e, e.type == 'Bereit 🎈').all(e, e.status",
    "exists(e, e.type == 'Bereit 🎈' && e.status",
)


def configuration(editor: str, language: str) -> str:
    """The first text in a language that `docs/editors.md` tells a user of an editor to write."""
    section = _PAGE.split(f"\n## {editor}\n")[1].split("\n## ")[0]
    return section.split(f"```{language}\n")[1].split("```")[0]
