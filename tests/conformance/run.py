"""Runs one file of vectors and keeps the score."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.conformance.answer import Answer, Mode, Vector, agrees
from tests.conformance.expanded import expanded
from tests.conformance.systems import adapted

_MODULES = {
    "parse": "cel",
    "eval": "cel",
    "compile": "cel",
    "gate": "cel",
    "evalready": "cel",
    "jsonpath": "jsonpath",
    "cartographer": "jsonpath",
    "kstatus": "kstatus",
    "gardener": "gardener",
    "cartorule": "cartographer",
    "health": "flux",
    "dependency": "flux_controllers",
    "reconcile": "flux_controllers",
    "release": "flux_controllers",
    "rollout": "flux_controllers",
    "built": "flux_operator",
    "resource-set": "flux_operator",
    "rset": "resourceset",
    "kro": "kro",
    "argo-condition": "argo_workflows",
    "pulumi-wait": "pulumi",
    "auto-ready": "auto_ready",
    "commitstatus": "notification",
    "condition-rules": "manifest_work",
    "feedback-rules": "manifest_work",
    "oidc": "notification",
    "receiver": "notification",
    "sveltos-rules": "sveltos",
    "olm": "boxcutter",
    "package-operator": "boxcutter",
    "readiness-checks": "readiness_checks",
    "kstatus-state": "waiters",
    "helm-install": "waiters",
    "kubectl-wait": "waiters",
    "argocd-health": "waiters",
    "yaml": "texts",
    "substitution": "texts",
}
"""Mode of a vector -> the module here whose `MODES` answers it."""


Line = tuple[Vector, Any]
"""A vector and its object."""


class UnknownModeError(ValueError):
    """Our engine cannot answer a vector; the text names its mode."""


@dataclass(slots=True)
class Score:
    """The number of vectors, those that disagree, and syntax errors at the recorded place."""

    total: int = 0
    wrong: list[tuple[Vector, Answer]] = field(default_factory=list)
    misplaced: list[tuple[Vector, Answer]] = field(default_factory=list)
    places: int = 0
    placed: int = 0


def run_file(
    path: Path, choose: Callable[[Sequence[Line]], Sequence[Line]] = lambda lines: lines
) -> Score:
    """The vectors of a file, all if none are chosen.

    Raises `UnknownModeError` for a mode nobody answers.
    """
    score = Score()
    for vector, subject in choose([*vectors(path)]):
        _count(score, vector, mode(vector["mode"])(vector, subject))
    return score


def number(digits: str) -> float:
    """A whole number as Kubernetes decodes it: beyond 64 bits it is a float."""
    value = int(digits)
    return value if -(2**63) <= value < 2**63 else float(value)


def _count(score: Score, vector: Vector, answer: Answer) -> None:
    score.total += 1
    if not agrees(vector, answer):
        score.wrong.append((vector, answer))
    want = vector["want"]
    if want.get("stage") != "parse" or "at" not in want:
        return
    score.places += 1
    if answer.at == tuple(want["at"]):
        score.placed += 1
    else:
        score.misplaced.append((vector, answer))


def vectors(path: Path) -> Iterator[Line]:
    """The vectors of a file, each with its object."""
    if path.suffix == ".yaml":
        yield from ((vector, None) for vector in expanded(path))
        return
    with path.open(encoding="utf-8") as lines:
        header = json.loads(next(lines), parse_int=number)
        objects = header["objects"]
        for line in lines:
            vector = json.loads(line, parse_int=number)
            vector = adapted(vector, header) if "of" in header else vector
            subject = vector.get("object")
            yield vector, objects[subject] if isinstance(subject, str) else subject


def mode(name: str) -> Mode:
    """The function that answers vectors of a mode; raises `UnknownModeError` without one."""
    if name not in _MODULES:
        raise UnknownModeError(f"no module here answers vectors of mode `{name}`")
    module = importlib.import_module(f"tests.conformance.{_MODULES[name]}")
    found: Mode = module.MODES[name]
    return found
