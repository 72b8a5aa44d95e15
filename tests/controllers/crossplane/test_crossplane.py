"""Readiness checks of Compositions: where they are, their causes, and any value at all."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.controllers.evaluating import cluster, evaluators
from tests.controllers.values import ANYTHING, objects, one_of, some


def _composition(resources: Any) -> Any:
    head = {"apiVersion": "apiextensions.crossplane.io/v1", "kind": "Composition"}
    return {
        **head,
        "spec": {"resources": resources, "pipeline": [{"input": {"resources": resources}}]},
    }


_DATABASE = {"apiVersion": "db.example.com/v1", "kind": "Database"}


def test_a_resource_without_checks_is_ready_by_its_condition() -> None:
    evaluator, in_pipeline = evaluators(_composition([{"name": "db", "base": _DATABASE}]))
    assert (evaluator.title, evaluator.path) == (
        "Database.db.example.com db",
        ("spec", "resources", 0),
    )
    assert in_pipeline.path == ("spec", "pipeline", 0, "input", "resources", 0)
    for status in ("True", "False"):
        obj = {**_DATABASE, "status": {"conditions": [{"type": "Ready", "status": status}]}}
        assert evaluator.evaluate(cluster({"objects": [obj]})).status == status


def test_the_first_check_that_does_not_hold_is_the_cause() -> None:
    checks = [{"type": "None"}, {"type": "MatchTrue", "fieldPath": "status.phase"}]
    evaluator = evaluators(_composition([{"readinessChecks": checks}]))[0]
    verdict = evaluator.evaluate(cluster({"objects": [{**_DATABASE, "status": {"phase": "x"}}]}))
    assert verdict.error == "cannot run readiness check at index 1: status.phase: not a bool"
    assert verdict.cause
    assert verdict.cause.path[-2:] == ("readinessChecks", 1)


_CHECK = some(
    {
        "type": one_of(
            "NonEmpty", "MatchString", "MatchInteger", "MatchTrue", "MatchCondition", "None", "x"
        ),
        "fieldPath": one_of("", "status", "status[", "status.a[0].b", "a..b") | ANYTHING,
        "matchString": one_of("", "x") | ANYTHING,
        "matchInteger": st.integers() | ANYTHING,
        "matchCondition": some({"type": one_of("Ready"), "status": one_of("True")}) | ANYTHING,
    }
)
_RESOURCE = some(
    {"base": ANYTHING, "name": ANYTHING, "readinessChecks": st.lists(_CHECK | ANYTHING, max_size=3)}
)
_OBJECTS = objects([("example.com/v1", "Thing"), ("v1", "Pod")])


@given(st.lists(_RESOURCE | ANYTHING, max_size=2), st.lists(_OBJECTS | ANYTHING, max_size=2))
def test_every_check_has_a_verdict_on_every_value(resources: Any, found: Any) -> None:
    declaration = _composition(resources)
    for evaluator in evaluators(declaration):
        assert evaluator.evaluate(cluster({"objects": found})).status in evaluator.statuses
        assert all(isinstance(evaluator.applies(obj), bool) for obj in found)
        assert all(example.objects for example in evaluator.examples(declaration))
