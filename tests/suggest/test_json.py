"""What `--format json` prints is documented."""

from __future__ import annotations

import json
import re
from pathlib import Path

from celvet import schemas
from celvet.lint.crds import NOTHING
from celvet.lint.model import GroupKind
from celvet.lint.suggest.output import FORMATS
from celvet.lint.suggest.suggest import Suggester
from celvet.lint.suggest.suggestion import Suggestions

_PAGE = Path(__file__).parents[2] / "docs" / "suggest.md"


def test_each_field_is_documented() -> None:
    found = Suggester(schemas.load(), NOTHING).of(GroupKind("cert-manager.io", "Certificate"))
    (printed,) = json.loads(FORMATS.renderer("json")(Suggestions([found]), False))["suggestions"]
    section = _PAGE.read_text(encoding="utf-8").partition("## For programs\n")[2]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    assert re.findall(r"`(\w+)`", " ".join(rows)) == [*printed]
    assert printed["evidence"]
    for name in printed["evidence"][0]:
        assert f"`{name}`" in section
