"""The recorded clusters, and a comparison of a report with what was seen of one."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from celvet.lint.verdicts.unstructured import timestamp
from celvet.lint.why.investigation import investigate
from celvet.lint.why.output.json import render
from celvet.lint.why.snapshot import Snapshot
from celvet.schemas import load

CLUSTERS = Path(__file__).parent / "clusters"
_SEEDED: dict[str, dict[str, Any]] = json.loads(
    gzip.decompress((CLUSTERS / "seeded.json.gz").read_bytes())
)
"""More clusters, with faults that were seeded, and what came next.

Recorded from kustomize-controller 1.9.5, helm-controller 1.6.4, Flux Operator 0.59.0 and
kube-controller-manager 1.36.4; the statuses of sources, pods and custom kinds were written in the
words of the real programs.
"""

SEEDED = sorted(_SEEDED)
NAMES = sorted(
    file.name.removesuffix(".expected.json") for file in CLUSTERS.glob("*.expected.json")
)


def objects(name: str) -> list[dict[str, Any]]:
    """The objects of a recorded cluster."""
    items: list[dict[str, Any]] = (_SEEDED.get(name) or json.loads(text(name)))["items"]
    return items


def text(name: str) -> bytes:
    """The List of a recorded cluster, as kubectl prints it."""
    return gzip.decompress((CLUSTERS / f"{name}.json.gz").read_bytes())


def expected(name: str) -> dict[str, Any]:
    """What was seen of a recorded cluster."""
    if name in _SEEDED:
        return dict(_SEEDED[name]["expected"])
    content: dict[str, Any] = json.loads((CLUSTERS / f"{name}.expected.json").read_bytes())
    return content


def report(objects: Sequence[Mapping[str, Any]], at: str) -> dict[str, Any]:
    """The report on objects at a time, as a program reads it."""
    now = timestamp(at)
    assert now is not None
    document: dict[str, Any] = json.loads(
        render(investigate(Snapshot.of(objects), load(), now), False)
    )
    return document


def differences(told: Mapping[str, Any], seen: Mapping[str, Any]) -> Iterator[str]:
    """Each way in which a report differs from what was seen."""
    names = [_name(root) for root in seen["roots"]]
    told_names = [_name(root) for root in told["roots"]]
    if sorted(names) != sorted(told_names):
        yield f"roots: {told_names}, not {names}"
    for root in seen["roots"]:
        same = next((other for other in told["roots"] if _name(other) == _name(root)), None)
        if same:
            yield from (f"{_name(root)}: {line}" for line in _root_differences(same, root))
    for waiter in seen["waiters"]:
        same = next(other for other in told["waiters"] if _name(other) == _name(waiter))
        if same["verdict"] != waiter["verdict"]:
            yield f"{_name(waiter)}: {same['verdict']}, not {waiter['verdict']}"
        held = sorted(names[index] for index in _indices(waiter["root"]))
        if sorted(told_names[index] for index in same["roots"]) != held:
            yield f"{_name(waiter)}: held by {same['roots']}, not {held}"
    yield from _next_differences(told, seen["next"])


def _root_differences(told: Mapping[str, Any], seen: Mapping[str, Any]) -> Iterator[str]:
    pairs = {"cause": "why", "field": "field", "outlook": "outlook"}
    for name, other in pairs.items():
        if told[name] != seen[other]:
            yield f"{name} {told[name]}, not {seen[other]}"
    if told["expression"] not in (seen["expression"], *seen.get("alsoAccepted", ())):
        yield f"{told['expression']}, not {seen['expression']}"
    observed = told["observed"] or {}
    for path, value in (seen["observed"] or {}).items():
        if observed.get(path, "nothing") != value:
            yield f"{path} is {observed.get(path, 'nothing')}, not {value}"


def _next_differences(told: Mapping[str, Any], seen: Mapping[str, Any]) -> Iterator[str]:
    waiter = next(item for item in told["waiters"] if "/".join(_name(item)) == seen["waiter"])
    event, at = waiter["next"]["event"], timestamp(waiter["next"]["at"] or "")
    right = timestamp(seen["at"] or "")
    late = abs((at - right).total_seconds()) if at and right else 0
    if event != seen["event"] or late > seen["tolerance_s"] or (at is None) != (right is None):
        yield f"next: {waiter['next']}, not {seen['event']} at {seen['at']}"


def _name(item: Mapping[str, Any]) -> tuple[str, str, str]:
    return item["kind"], item["namespace"], item["name"]


def _indices(root: int | Sequence[int] | None) -> Sequence[int]:
    if root is None:
        return ()
    return [root] if isinstance(root, int) else root
