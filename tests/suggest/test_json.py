"""What `--format json` prints is documented."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from celvet import schemas
from celvet.lint.crds import NOTHING
from celvet.lint.model import GroupKind
from celvet.lint.suggest.output import FORMATS
from celvet.lint.suggest.snippets.generate import in_dialect
from celvet.lint.suggest.suggest import Suggester
from celvet.lint.suggest.suggestion import Suggestion, Suggestions

_PAGE = Path(__file__).parents[2] / "docs" / "suggest.md"


_FLUX, _, _OTHERS = (
    _PAGE.read_text("utf-8")
    .partition("## For programs\n")[2]
    .partition("| field of another system |")
)


def _documented(section: str) -> list[str]:
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return re.findall(r"`(\w+)`", " ".join(rows))


def _printed(suggestion: Suggestion) -> dict[str, Any]:
    (printed,) = json.loads(FORMATS.renderer("json")(Suggestions([suggestion]), False))[
        "suggestions"
    ]
    assert isinstance(printed, dict)
    return printed


def test_each_field_is_documented() -> None:
    suggestion = Suggester(schemas.load(), NOTHING).of(GroupKind("cert-manager.io", "Certificate"))
    printed = _printed(suggestion)
    assert _documented(_FLUX) == [*printed]
    assert printed["evidence"]
    for name in printed["evidence"][0]:
        assert f"`{name}`" in _FLUX


def test_each_field_for_another_system_is_documented() -> None:
    suggestion = Suggester(schemas.load(), NOTHING).of(GroupKind("cert-manager.io", "Certificate"))
    answer = in_dialect(suggestion, "olm", schemas.load())
    assert isinstance(answer, Suggestion)
    printed = _printed(answer)
    shared_names = {"group", "kind", "dialect", "proven", "basis", "variant"}
    assert {*_documented(_OTHERS)} - {
        "current",
        "failed",
        "health",
    } == printed.keys() - shared_names
    for name in printed["differs"][0]:
        assert f"`{name}`" in _OTHERS
