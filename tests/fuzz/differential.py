"""Compares this engine with the controllers' code on random expressions and objects."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import yaml

from tests.conformance.answer import NOT_ANALYSED, Answer, Vector, agrees
from tests.conformance.run import Line, mode, vectors
from tests.fuzz import oracle
from tests.fuzz.grammar import Grammar
from tests.fuzz.mutations import changed_text, changed_value
from tests.fuzz.readers import manifests
from tests.fuzz.texts import Texts

_RECORDED = Path(__file__).parents[1] / "conformance"
_FILES = ("cel", "cel-versions", "jsonpath", "flux-health", "kstatus")
_GRAMMARS = {"eval": "cel", "evalready": "cel", "jsonpath": "jsonpath"}
"""The language of the expression, for each mode that evaluates on an object."""
_ACCEPTED = {"eval": "parse", "evalready": "compile"}
"""For each mode, the one that only asks whether the expression is accepted."""
_CEL_MODES = {*_ACCEPTED, *_ACCEPTED.values()}
_LISTED = [
    re.compile(each["matches"])
    for each in yaml.safe_load((Path(__file__).parent / "listed.yaml").read_text())
]
_ABSENT = "no such key: "
_FLOAT = re.compile(r"-?\d+(\.\d+)?(e[-+]\d+)?", re.ASCII)
_BATCH = 400
_AGAIN = 100
"""How often Go is asked again where it disagrees: it keeps the order of two keys 7 times in 8."""
_SHARE_OF_TEXTS = 0.2


@dataclass(slots=True)
class Tally:
    """How many vectors of each mode were compared, and those that disagree.

    `listed` counts the differences that docs/fidelity.md describes, `varying` the vectors to which
    the controllers' code gives varying answers, for example because of the order of a map.
    """

    asked: Counter[str] = field(default_factory=Counter)
    unanalysed: int = 0
    listed: int = 0
    varying: int = 0
    wrong: list[tuple[Vector, Answer]] = field(default_factory=list)


class Maker:
    """Makes vectors from recorded ones, grammars and texts; the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        random = self._random = Random(seed)
        self._recorded = [[*vectors(_RECORDED / f"{name}.jsonl")] for name in _FILES]
        self._grammars = {name: Grammar(name, random) for name in {*_GRAMMARS.values()}}
        # Their manifests change often, which leaves the expressions as they are.
        self._texts = Texts(Random(seed), manifests())

    def batch(self) -> Iterator[Vector]:
        """A few hundred vectors."""
        for _ in range(_BATCH):
            if self._random.random() < _SHARE_OF_TEXTS:
                yield self._random.choice((self._texts.yaml, self._texts.substitution))()
            else:
                yield self._vector(self._random.choice(self._recorded))

    def gates(self) -> Iterator[Vector]:
        """A few hundred expressions for the compilers of other systems."""
        random, recorded = self._random, self._recorded[_FILES.index("cel")]
        for _ in range(_BATCH):
            dialect = random.choice([*oracle.GATES])
            vector, value = random.choice(recorded)
            variable, version = oracle.GATES[dialect]
            text = self._grammars["cel"].expression({variable: value})
            if random.random() < 0.2 and "expr" in vector:
                text = changed_text(random, vector["expr"], [text])
            yield {"mode": "gate", "dialect": dialect, "celGo": version, "expr": text}

    def _vector(self, known: list[Line]) -> Vector:
        random = self._random
        vector, value = random.choice(known)
        made = {key: vector[key] for key in ("mode", "allowMissing") if key in vector}
        if vector["mode"] in _CEL_MODES:
            made["celGo"] = random.choice(oracle.CEL_GO)
        if value is not None:
            changes = "expr" not in vector or random.random() < 0.3
            others = [other for _, other in random.choices(known, k=3) if other is not None]
            made["object"] = changed_value(random, value, others) if changes and others else value
        samples = random.choices(known, k=8)
        texts = [text for other, _ in samples for text in _expressions(other)] or [""]
        if vector["mode"] in _GRAMMARS and random.random() < 0.6:
            made["expr"] = self._grammars[_GRAMMARS[vector["mode"]]].expression(made["object"])
            if random.random() < 0.3:
                made["mode"] = _ACCEPTED.get(made["mode"], made["mode"])
        elif "expr" in vector:
            made["expr"] = changed_text(random, vector["expr"], texts)
        if "exprs" in vector:
            made["exprs"] = {
                role: changed_text(random, text, texts) for role, text in vector["exprs"].items()
            }
        return made


def _expressions(vector: Vector) -> list[str]:
    return [vector["expr"]] if "expr" in vector else [*vector.get("exprs", {}).values()]


def compare(asked: list[Vector], tally: Tally) -> None:
    """Compare the answers of both, and add them to the tally."""
    wrong = []
    for vector, want in zip(asked, oracle.answers(asked), strict=True):
        answered = {**vector, "want": want}
        ours = mode(vector["mode"])(answered, vector.get("object"))
        tally.asked[vector["mode"]] += 1
        if ours.message == NOT_ANALYSED:
            tally.unanalysed += 1
        elif _agree(answered, ours):
            continue
        elif any(each.search(text) for each in _LISTED for text in _expressions(vector)):
            tally.listed += 1
        else:
            wrong.append((answered, ours))
    again = oracle.answers([vector for vector, _ in wrong for _ in range(_AGAIN)])
    for number, (vector, ours) in enumerate(wrong):
        answers = again[number * _AGAIN : (number + 1) * _AGAIN]
        # Of the orders of a map, ours may be one that Go never has.
        if any(each != vector["want"] for each in answers):
            tally.varying += 1
        else:
            tally.wrong.append((vector, ours))


def _agree(vector: Vector, ours: Answer) -> bool:
    return agrees(vector, ours) and _shows_the_same(vector, ours)


def _shows_the_same(vector: Vector, ours: Answer) -> bool:
    """Whether lookup errors name the same key, and YAML numbers have the same type."""
    if vector["mode"] == "yaml" and ours.ok:
        both = (vector["want"]["result"], ours.result)
        wanted, result = (json.dumps(each, sort_keys=True) for each in both)
        return wanted == result
    before = f"failed to evaluate the CEL expression '{vector.get('expr')}': "
    error = vector["want"].get("error", "").removeprefix(before)
    # Of several errors of an expression, both may show another one.
    if not (error.startswith(_ABSENT) and ours.message.startswith(_ABSENT)):
        return True
    return _six_digits(error) == _six_digits(ours.message)


def _six_digits(error: str) -> str:
    """The error with as many digits of a float as the engine prints."""
    key = error.removeprefix(_ABSENT)
    return f"{float(key):g}" if _FLOAT.fullmatch(key) else key


def shown(vector: Vector, ours: Answer) -> str:
    """A disagreement, as text, with the vector as a line for tests/conformance."""
    line = json.dumps(vector, ensure_ascii=False)
    return f"{line}\n  ours: ok {ours.ok}, {ours.result!r} {ours.message}"
