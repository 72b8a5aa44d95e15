"""The kinds whose controllers make an applier, as `repository/makers.json` has them."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from celvet.record import record

FieldPath = tuple[str, ...]
_DATA = Path(__file__).parent / "repository/makers.json"


@record
class Maker:
    """A kind whose controller makes an object that applies files.

    `spec` leads to the mapping with all that counts, which has the field `needs`, and the patches
    to what is made below `kustomization`; `word` is in every file that has it. `object` is what is
    made: a mapping with the key `from` stands for the first text at one of these paths, of an
    object that has only `metadata` and this `spec`, or for `default`.
    """

    group: str
    kind: str
    word: str
    spec: FieldPath
    needs: FieldPath
    kustomization: FieldPath
    object: Mapping[str, Any]


@functools.cache
def makers() -> tuple[Maker, ...]:
    """All makers."""
    return tuple(
        Maker(
            group=holder["group"],
            kind=holder["kind"],
            word=holder["word"],
            spec=tuple(holder["spec"].split(".")),
            needs=tuple(entry["needs"].split(".")),
            kustomization=tuple(entry["kustomization"].split(".")),
            object=entry["object"],
        )
        for entry in json.loads(_DATA.read_text(encoding="utf-8"))
        for holder in entry["holders"]
    )


def maker(group: str, kind: str) -> Maker | None:
    """The maker of this group and kind."""
    return next((item for item in makers() if (item.group, item.kind) == (group, kind)), None)
