"""Vectors in a YAML table: a list of cases for each mode, and defaults for what they leave out.

A case with `newer` is two: that is what the newest release says. One with `states` is a sequence;
with `during` it has all waits of so many seconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.conformance.answer import Vector
from tests.tables import read_table

_DEFAULTS = "defaults"


def expanded(path: Path) -> Iterator[Vector]:
    """The vectors of a table, each whole."""
    table = read_table(path)
    defaults = table.pop(_DEFAULTS)
    for mode, cases in table.items():
        # The dependencies of an object are of its own kind.
        default = defaults.get(mode, defaults["object"])
        for case in cases:
            vector = _vector(mode, case, defaults["declaration"], default)
            yield vector
            if "newer" in case:
                yield {**vector, "newest": True, "want": {"ok": True, **case["newer"]}}


def _vector(
    mode: str, case: Mapping[str, Any], declaration: Mapping[str, Any], default: Mapping[str, Any]
) -> Vector:
    name = case["case"]
    own = {"metadata": {"name": name, "namespace": name}, "spec": case["spec"]}
    annotated = {"metadata": {"annotations": case.get("annotations", {})}}
    placed = _merged(default, {"metadata": {"namespace": name}})

    def whole(objects: list[Any]) -> list[Any]:
        return [_merged(placed, each) for each in objects]

    states = [{**each, "objects": whole(each["objects"])} for each in case.get("states", ())]
    return {
        "mode": mode,
        "case": name,
        "declaration": _merged(_merged(declaration, own), annotated),
        **({"states": states, "settings": {}} if states else {"objects": whole(case["objects"])}),
        "want": {"ok": True, **case["want"]},
        **{key: case[key] for key in ("beyond", "during") if key in case},
    }


def _merged(below: Any, above: Any) -> Any:
    """A mapping over another, at each level."""
    if not (isinstance(below, dict) and isinstance(above, dict)):
        return above
    return below | {key: _merged(below.get(key), value) for key, value in above.items()}
