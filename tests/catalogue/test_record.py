"""What the last check of the catalogue found, for each kind."""

from __future__ import annotations

import json

from celvet.schemas.kind_files import OURS
from tests.catalogue.__main__ import RECORD
from tests.kinds.known import named_kinds


def test_the_last_check_left_nothing_unexplained() -> None:
    lines = [json.loads(line) for line in RECORD.read_text(encoding="utf-8").splitlines()]
    assert len(lines) > len(named_kinds()) / 2
    faults = ("missing", "unexplained", "unchecked")
    assert not [line["kind"] for line in lines if any(line.get(fault) for fault in faults)]


def test_only_kinds_of_the_catalogue_were_checked() -> None:
    lines = RECORD.read_text(encoding="utf-8").splitlines()
    names = {f"{kind}.{group}".removesuffix(".") for group, kind in named_kinds()}
    names |= {file.stem for file in OURS.glob("families/*.yaml")}
    for kind in (json.loads(line)["kind"] for line in lines):
        assert kind in names, f"check again: {OURS} has no {kind}"
