"""Compares the waiters with the code of kubectl, Helm and Argo CD on changed objects.

CELVET_ENGINES names the program that tests/suggest/engines/build.sh builds.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from celvet.lint.model import Value
from celvet.lint.values import group_kind_of
from celvet.lint.waiters import WAITERS, argocd
from celvet.lint.waiters.argocd.builtin import RULES
from celvet.lint.waiters.argocd.health import Health
from celvet.lint.waiters.argocd.lua import run
from celvet.lint.waiters.argocd.scripts import Script
from celvet.lint.waiters.kubectl_wait import ForError, parse_for
from tests.conformance.run import vectors
from tests.conformance.waiters import argocd_scripts
from tests.fuzz.mutations import changed_text, changed_value
from tests.tables import read_table

_NOW = datetime(2026, 11, 1, tzinfo=UTC)
_TESTS = Path(__file__).parents[1]
_RECORDED = _TESTS / "conformance"
_LONG_NUMBER = re.compile(r"\d{15}")
_UNDECODED = "failed to convert unstructured "
"""A built-in kind has a type for each field, which the API server demands."""

_BATCH = 200
_AGAIN = 3
"""How often an engine is asked: a script may walk a table in any order."""

Row = dict[str, Any]


class Waiters:
    """Makes questions from recorded ones, and compares the answers."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._texts = [row["expr"] for row, _ in vectors(_RECORDED / "kubectl-wait.jsonl")]
        self._objects = [obj for _, obj in vectors(_RECORDED / "argocd-states.jsonl")]
        self._builtin = [case["object"] for case in read_table(_TESTS / "waiters" / "helm.yaml")]
        self._builtin += [obj for obj in self._objects if str(group_kind_of(obj)) in RULES]
        self._scripts = argocd_scripts()
        self.asked = 0

    def differences(self) -> list[str]:
        """The questions of a batch to which both give other answers."""
        rows = [*self._rows()]
        self.asked += len(rows)
        first, *again = ([*_answers(rows)] for _ in range(_AGAIN))
        return [
            f"{json.dumps(row)}\n  engine {answer}\n  ours   {ours}"
            for index, (row, answer) in enumerate(zip(rows, first, strict=True))
            if all(answers[index] == answer for answers in again) and _is_asked(answer)
            if (ours := _OURS[row["mode"]](row)) != _comparable(row, answer)
        ]

    def _rows(self) -> Iterator[Row]:
        random = self._random
        for _ in range(_BATCH):
            whole = random.choice(self._objects)
            changed = changed_value(random, whole, random.choices(self._objects, k=3))
            # Lua writes a number with more digits in another way than gopher-lua.
            is_short = not _LONG_NUMBER.search(json.dumps(changed))
            script = is_short and self._scripts and self._scripts.of(group_kind_of(whole))
            if script:
                obj = {**changed, "kind": whole["kind"]}
                yield {"mode": "script", "script": script.text, "open": True, "object": obj}
            whole = random.choice(self._builtin)
            obj = {
                **changed_value(random, whole, random.choices(self._builtin, k=3)),
                **_names(whole),
            }
            # The API server refuses a number with more digits in nearly all fields of these kinds.
            if not re.search(r"\d{10}", json.dumps(obj)):
                yield {"mode": "argocd-builtin", "object": obj}
                yield {"mode": "helm-legacy", "object": obj}
            text = changed_text(random, random.choice(self._texts), self._texts)
            yield {"mode": "kubectl-wait", "expr": text, "object": changed}


def _answers(rows: Sequence[Row]) -> Iterator[Row]:
    asked = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    command = [os.environ["CELVET_ENGINES"], "vectors"]
    ran = subprocess.run(command, input=asked, capture_output=True, check=True)
    return map(json.loads, ran.stdout.splitlines())


def _is_asked(answer: Row) -> bool:
    """Whether the API server stores such an object, and the text is about a state of it."""
    error = answer.get("error", "")
    is_stored = not error.startswith("oracle: ") and _UNDECODED not in answer.get("message", "")
    return is_stored and error != "not asked of an object"


def _names(obj: Row) -> Row:
    return {key: obj[key] for key in ("apiVersion", "kind")}


def _comparable(row: Row, answer: Row) -> Row:
    """The answer without the words of an error of Lua or of a decoder, which are the engine's."""
    return answer if answer["ok"] or row["mode"] == "kubectl-wait" else {"ok": False}


def _wait(row: Row) -> Row:
    try:
        judgement = parse_for(row["expr"]).judge(row["object"], _NOW)
    except ForError as error:
        return {"ok": False, "error": str(error)}
    error_or_none = {"error": judgement.error} if judgement.error else {}
    return {"ok": True, "met": judgement.status == "met", **error_or_none}


def _script(row: Row) -> Row:
    obj: Value = row["object"]
    return _health(run(Script(row["script"], libraries=True), obj))


def _builtin(row: Row) -> Row:
    return _health(argocd.health(row["object"], argocd.Scripts()))


def _health(health: Health) -> Row:
    if health.error:
        return {"ok": False}
    return {"ok": True, "status": health.status, "message": health.message}


def _legacy(row: Row) -> Row:
    return {"ok": True, "ready": WAITERS["helm3"].judge(row["object"], _NOW).effect == "ready"}


_OURS = {
    "kubectl-wait": _wait,
    "script": _script,
    "argocd-builtin": _builtin,
    "helm-legacy": _legacy,
}
