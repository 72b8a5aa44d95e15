"""No safe fix lets an object pass that was held back, or fails one that passed.

The objects are those of the tables of the old and the new expressions, and what two of them give
together: conditions of both, and fields of both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

from celvet.lint.engine import FileResult, Settings, lint_text
from celvet.lint.engine.fix import fix
from celvet.lint.model import Path as FieldPath
from celvet.lint.predict import CheckModel, models, table
from celvet.lint.values import mapping_at
from tests.properties import sample
from tests.rules.every_case import every_case
from tests.tables import read_table

_MOST_OBJECTS = 3000

_SPELLING = re.compile("Write (?!`exists`)|Put ")

_OWN_TESTS = ["status.own >= 2", "metadata.labels['team'] == 'a'", "status.ready"]
"""What an author may test besides."""


def _models(result: FileResult) -> dict[FieldPath, CheckModel]:
    checked_objects = enumerate(result.checked)
    return {
        (number, *check.path): model
        for number, checked in checked_objects
        for check, model in models(checked)
    }


def _merged(one: Any, other: Any) -> Any:
    """Two objects in one: lists of both, with one condition of each type."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        merged = {key: _merged(one[key], other[key]) for key in one.keys() & other.keys()}
        return {**one, **other, **merged}
    if isinstance(one, list) and isinstance(other, list):
        types = {mapping_at(item).get("type", repr(item)) for item in one}
        return [*one, *(item for item in other if mapping_at(item).get("type") not in types)]
    return one


def _objects(old: CheckModel, new: CheckModel) -> Iterator[Any]:
    rows = [row.state.variables for model in (old, new) for row in table(model).rows]
    yield from rows
    pairs = ((one, other) for one, other in product(rows, repeat=2) if one is not other)
    yield from (_merged(one, other) for one, other in islice(pairs, _MOST_OBJECTS))


def _verdict(model: CheckModel, variables: Any) -> str:
    verdict = model.verdict(variables, model.outcomes(variables))
    return "Current" if model.gate and verdict == "True" else verdict


def _assert_not_loosened(text: str, settings: Settings) -> None:
    result = lint_text(text, "a.yaml", settings)
    fixed = fix(text.encode(), "a.yaml", settings, unsafe=False)
    # Only the right spelling of what no object makes true lets objects pass.
    if not fixed.titles or any(map(_SPELLING.match, fixed.titles)):
        return
    new_models = _models(fixed.result)
    for path, old in _models(result).items():
        new = new_models.get(path)
        assert new, "an entry that is removed holds nothing back"
        if [program.text for program in old.programs.values()] == [
            program.text for program in new.programs.values()
        ]:
            continue
        for variables in _objects(old, new):
            before, after = _verdict(old, variables), _verdict(new, variables)
            assert (before, after) != ("Current", "Failed"), variables
            assert after != "Current" or before in ("Current", "Unknown"), variables


@pytest.mark.parametrize("case", sample(every_case()))
def test_cases_of_rules(case: dict[str, Any]) -> None:
    _assert_not_loosened(case["manifest"], Settings(substitutions=case.get("substitute", {})))


_ENTRY = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: a}}
spec:
  wait: true
  healthCheckExprs:
    - apiVersion: {version}
      kind: {kind}
      failed: {failed}
      current: {current}
"""
_WHOLE = "status.conditions.filter(e, e.type == '{}').all(e, e.status == '{}')"
_SOME = "status.conditions.exists(e, e.type == '{}' && e.status == '{}')"


_KINDS = (
    ("example.com/v1", "Database"),
    ("postgresql.cnpg.io/v1", "Cluster"),
    ("cert-manager.io/v1", "ClusterIssuer"),
    ("cert-manager.io/v1", "Certificate"),
    ("kafka.strimzi.io/v1", "Kafka"),
    ("apps.emqx.io/v2beta1", "EMQX"),
)


@pytest.mark.parametrize(
    ("name", "failed", "current", "own_test"),
    sample(sample([*product(_KINDS, (_WHOLE, _SOME), (_WHOLE, _SOME), _OWN_TESTS)])),
)
def test_own_tests(name: tuple[str, str], failed: str, current: str, own_test: str) -> None:
    version, kind = name
    ready, broken = current.format("Ready", "True"), failed.format("Ready", "False")
    for current_text in (f"{ready} && {own_test}", own_test):
        text = _ENTRY.format(
            version=version, kind=kind, failed=repr(broken), current=repr(current_text)
        )
        _assert_not_loosened(text, Settings())


@pytest.mark.parametrize(
    "case",
    sample(read_table(Path(__file__).with_name("rewrites.yaml"))),
    ids=lambda case: case["name"],
)
def test_rewrites(case: dict[str, Any]) -> None:
    entry = {"failed": "false", **case["entry"]}
    if entry.keys() == {"failed", "current"}:
        failed, current = repr(entry["failed"]), repr(entry["current"])
        text = _ENTRY.format(version="example.com/v1", kind="A", failed=failed, current=current)
        _assert_not_loosened(text, Settings())
