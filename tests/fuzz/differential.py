"""Compares this engine with the controllers' code on random expressions and objects."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from tests.conformance.answer import Answer, Vector, agrees
from tests.conformance.cel import NOT_ANALYSED
from tests.conformance.run import mode, vectors
from tests.fuzz import oracle
from tests.fuzz.mutations import changed_text, changed_value

_RECORDED = Path(__file__).parents[1] / "conformance"
_FILES = ("cel", "cel-versions", "jsonpath", "flux-health", "kstatus")
_CEL_MODES = ("parse", "eval", "compile", "evalready")
_CEL_GO = ("0.26.1", "0.27.0", "0.29.0", "0.31.0")
_BATCH = 400


@dataclass(slots=True)
class Tally:
    """How many vectors of each mode agreed, and those that did not."""

    asked: Counter[str] = field(default_factory=Counter)
    unanalysed: int = 0
    wrong: list[tuple[Vector, Answer]] = field(default_factory=list)


class Maker:
    """Makes vectors from recorded ones, always the same for a seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._recorded = [
            [(vector, value) for vector, value in vectors(_RECORDED / f"{name}.jsonl")]
            for name in _FILES
        ]

    def batch(self) -> Iterator[Vector]:
        """Some hundred vectors."""
        for _ in range(_BATCH):
            yield self._vector(self._random.choice(self._recorded))

    def _vector(self, known: list[tuple[Vector, Any]]) -> Vector:
        random = self._random
        vector, value = random.choice(known)
        made = {key: vector[key] for key in ("mode", "allowMissing") if key in vector}
        if vector["mode"] in _CEL_MODES:
            made["celGo"] = random.choice(_CEL_GO)
        if value is not None:
            changes = "expr" not in vector or random.random() < 0.3
            others = [other for _, other in random.choices(known, k=3) if other is not None]
            made["object"] = changed_value(random, value, others) if changes and others else value
        texts = [*_texts(random.choices(known, k=8))] or [""]
        if "expr" in vector:
            made["expr"] = changed_text(random, vector["expr"], texts)
        if "exprs" in vector:
            made["exprs"] = {
                role: changed_text(random, text, texts) for role, text in vector["exprs"].items()
            }
        return made


def _texts(known: list[tuple[Vector, Any]]) -> Iterator[str]:
    for vector, _ in known:
        yield from [vector["expr"]] if "expr" in vector else vector.get("exprs", {}).values()


def compare(asked: list[Vector], tally: Tally) -> None:
    """Put the answers of both to the tally."""
    for vector, want in zip(asked, oracle.answers(asked), strict=True):
        answered = {**vector, "want": want}
        ours = mode(vector["mode"])(answered, vector.get("object"))
        tally.asked[vector["mode"]] += 1
        if ours.message == NOT_ANALYSED:
            tally.unanalysed += 1
        elif not agrees(answered, ours):
            tally.wrong.append((answered, ours))


def shown(vector: Vector, ours: Answer) -> str:
    """A disagreement, with the vector as a line for tests/conformance."""
    line = json.dumps(vector, ensure_ascii=False)
    return f"{line}\n  ours: ok {ours.ok}, {ours.result!r} {ours.message}"
