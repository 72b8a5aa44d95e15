"""The conditions that rules of a ManifestWork set: reasons, messages, and any value at all."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from tests.controllers.evaluating import cluster, evaluators
from tests.controllers.values import ANYTHING

_READY = "object.status.ready == true"


def _evaluator(**rule: Any) -> Any:
    config = {"resourceIdentifier": {}, "conditionRules": [{"condition": "Good", **rule}]}
    head = {"apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork"}
    (evaluator,) = evaluators({**head, "spec": {"manifestConfigs": [config]}})
    return evaluator


@pytest.mark.parametrize(
    ("rule", "status", "reason", "message"),
    [
        ({"celExpressions": [_READY]}, "True", "ConditionRuleEvaluated", "Manifest is Good"),
        ({"celExpressions": []}, "True", "ConditionRuleEvaluated", "Manifest is Good"),
        (
            {"celExpressions": ["object.status.x"], "message": "fixed"},
            "False",
            "ConditionRuleExpressionError",
            "no such key: x",
        ),
        (
            {"celExpressions": ["!object.status.ready"], "message": "fixed"},
            "False",
            "ConditionRuleEvaluated",
            "fixed",
        ),
        (
            {"celExpressions": [_READY], "messageExpression": "object.status.x", "message": "a"},
            "True",
            "ConditionRuleEvaluated",
            "no such key: x",
        ),
        (
            {"celExpressions": ["object.status.?ready"]},
            "True",
            "ConditionRuleEvaluated",
            "Manifest is Good",
        ),
    ],
)
def test_a_rule(rule: dict[str, Any], status: str, reason: str, message: str) -> None:
    verdict = _evaluator(type="CEL", **rule).evaluate(
        cluster({"objects": [{"status": {"ready": True}}]})
    )
    assert (verdict.status, verdict.reason, verdict.message) == (status, reason, message)


def test_a_type_that_nobody_knows() -> None:
    verdict = _evaluator(type="Lua").evaluate(cluster({"objects": [{}]}))
    assert (verdict.status, verdict.reason) == ("Unknown", "ConditionRuleInvalid")


def test_a_job_is_complete_once_it_has_failed() -> None:
    evaluator = _evaluator(type="WellKnownConditions", condition="Complete")
    conditions = [{"type": "Failed", "status": "True"}]
    job = {"apiVersion": "batch/v1", "kind": "Job", "status": {"conditions": conditions}}
    verdict = evaluator.evaluate(cluster({"objects": [job]}))
    assert (verdict.status, verdict.message) == ("True", "Job is finished")
    assert not evaluator.evaluate(cluster({"objects": [{**job, "kind": "Other"}]})).status


@given(ANYTHING, ANYTHING)
def test_no_object_is_too_strange(obj: Any, status: Any) -> None:
    evaluator = _evaluator(type="CEL", celExpressions=[_READY])
    for subject in (obj, {"status": status}):
        assert evaluator.evaluate(cluster({"objects": [subject]})).status in evaluator.statuses
