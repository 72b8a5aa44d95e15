from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.model import GroupKind
from tests.controllers.evaluating import cluster, evaluator_at, evaluators, verdict_of
from tests.controllers.table import cases
from tests.controllers.values import ANYTHING, objects, one_of, some


def _declaration(spec: Any, annotations: Any = None) -> Any:
    metadata = {"name": "own", "namespace": "apps", "annotations": annotations}
    version, kind = "fluxcd.controlplane.io/v1", "ResourceSet"
    return {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec}


@cases("resourceset/resourceset")
def test_verdict(case: dict[str, Any]) -> None:
    assert verdict_of(case, _declaration(case["spec"], case.get("annotations"))) == case["expect"]


@pytest.mark.parametrize(
    ("spec", "paths"),
    [
        ({}, []),
        ({"wait": True}, [()]),
        ({"steps": [{"name": "a"}]}, []),
        ({"steps": [{"name": "a"}, {"name": "b"}]}, [("spec", "steps", 0)]),
        ({"steps": [{"name": "a"}], "wait": True}, [("spec", "steps", 0)]),
        ({"dependsOn": [{}], "wait": True}, [("spec", "dependsOn", 0), ()]),
    ],
)
def test_what_is_waited_for(spec: Any, paths: list[Any]) -> None:
    assert [evaluator.path for evaluator in evaluators(_declaration(spec))] == paths


def test_an_input_provider_has_no_judges() -> None:
    assert evaluators({**_declaration({"wait": True}), "kind": "ResourceSetInputProvider"}) == ()


def test_what_a_dependency_is_about() -> None:
    entry = {"apiVersion": "a.io/v1", "kind": "A", "name": "n", "namespace": "d", "ready": True}
    entry["readyExpr"] = "true"
    evaluator = evaluator_at(_declaration({"dependsOn": [entry]}), ["spec", "dependsOn", 0])
    assert (evaluator.title, evaluator.group_kind) == ("dependency A/d/n", GroupKind("a.io", "A"))
    assert [program.role for program in evaluator.expressions] == ["readyExpr"]
    metadata = {"name": "n", "namespace": "d"}
    assert evaluator.applies({"apiVersion": "a.io/v2", "kind": "A", "metadata": metadata})
    assert not evaluator.applies({"apiVersion": "a.io/v1", "kind": "B", "metadata": metadata})


def test_of_several_objects_the_dependency_counts() -> None:
    entry = {"apiVersion": "a.io/v1", "kind": "A", "name": "x", "ready": True}
    entry["readyExpr"] = "status.up == true"
    evaluator = evaluator_at(_declaration({"dependsOn": [entry]}), ["spec", "dependsOn", 0])
    other = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "other"}}
    found = {"apiVersion": "a.io/v1", "kind": "A", "metadata": {"name": "x"}}
    seen = cluster({"objects": [other, {**found, "status": {"up": True}}]})
    assert evaluator.evaluate(seen).status == "True"
    assert evaluator.variables(seen)["metadata"] == {"name": "x"}


def test_judging_leaves_the_object_alone() -> None:
    annotations = {"kubectl.kubernetes.io/last-applied-configuration": "{}"}
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"annotations": annotations}}
    secret["data"] = {"a": "b"}
    entry = {"apiVersion": "v1", "kind": "Secret", "name": "n", "namespace": "d", "ready": True}
    evaluator = evaluator_at(_declaration({"dependsOn": [entry]}), ["spec", "dependsOn", 0])
    evaluator.evaluate(cluster({"objects": [secret]}))
    assert secret["data"] == {"a": "b"}
    assert len(annotations) == 1


_ENTRY = some(
    {
        "apiVersion": one_of("v1", "fluxcd.controlplane.io/v1"),
        "kind": one_of("Secret", "ResourceSet", "Thing"),
        "name": one_of("n"),
        "ready": st.booleans(),
        "readyExpr": one_of("true", "data.a == 'b'", "(", "x.all(y, y)"),
    }
)
_STEP = some({"name": one_of("a", "b"), "timeout": one_of("1m", "x")})
_SPECS = some(
    {
        "dependsOn": st.lists(_ENTRY | ANYTHING, max_size=3),
        "steps": st.lists(_STEP | ANYTHING, max_size=2),
        "wait": st.booleans(),
    }
)
_KINDS = [("v1", "Secret"), ("fluxcd.controlplane.io/v1", "ResourceSet"), ("batch/v1", "Job")]


@given(_SPECS | ANYTHING, st.lists(objects(_KINDS), max_size=2), ANYTHING)
def test_every_judge_has_a_verdict_on_every_value(spec: Any, found: Any, owner: Any) -> None:
    for evaluator in evaluators(_declaration(spec)):
        verdict = evaluator.evaluate(cluster({"objects": found, "owner": owner, "waited": 60}))
        assert verdict.status in evaluator.statuses
        assert all(isinstance(evaluator.applies(obj), bool) for obj in found)
