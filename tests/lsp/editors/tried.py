"""The configuration of the editors in these tests, and the file that a user opens."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.lsp.manifests import CERTIFICATE, HEAD, ISSUER

_PAGE = (Path(__file__).parents[3] / "docs" / "editors.md").read_text(encoding="utf-8")

PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
"""The directory where an editor finds `celvet`."""

# A kind outside of the catalogue: of a known one, celvet knows that no condition is called so.
_CERTIFICATE = CERTIFICATE.replace("cert-manager.io", "example.com")
BEFORE = HEAD + _CERTIFICATE.replace("'Ready'", "'Bereit 🎈'") + ISSUER
AFTER = BEFORE.replace(
    "filter(e, e.type == 'Bereit 🎈').all(e, e.status",
    "exists(e, e.type == 'Bereit 🎈' && e.status",
)


def configuration(editor: str, language: str) -> str:
    """The first text in a language that `docs/editors.md` tells a user of an editor to write."""
    section = _PAGE.split(f"\n## {editor}\n")[1].split("\n## ")[0]
    return section.split(f"```{language}\n")[1].split("```")[0]
