"""There is a page for each kind of the catalogue, and no other."""

from __future__ import annotations

import re

from celvet.schemas.known_kinds import families, known_kinds
from docs.kind_pages import DIRECTORY

_OTHERS = {"README", "flux-cheat-sheet"}
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def test_a_page_for_each_kind() -> None:
    wanted = {f"{kind}.{group}".removesuffix(".") for group, kind in known_kinds()}
    wanted |= {name for name, _ in families()}
    assert {page.stem for page in DIRECTORY.iterdir()} == wanted | _OTHERS


def test_links_lead_somewhere() -> None:
    for page in DIRECTORY.iterdir():
        for link in _LINK.findall(page.read_text(encoding="utf-8")):
            assert (DIRECTORY / link).exists(), f"{page.name}: {link}"
