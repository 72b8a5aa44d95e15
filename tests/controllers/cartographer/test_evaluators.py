from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.model import GroupKind
from tests.controllers.cartographer.test_health import RULES
from tests.controllers.evaluating import cluster, evaluators, verdict_of
from tests.controllers.table import cases
from tests.controllers.values import ANYTHING, objects, one_of, some


def _declaration(kind: str, spec: Any) -> Any:
    return {"apiVersion": "carto.run/v1alpha1", "kind": kind, "spec": spec}


@cases("cartographer/evaluators")
def test_verdict(case: dict[str, Any]) -> None:
    assert verdict_of(case, _declaration(case["kind"], case.get("spec", {}))) == case["expect"]


@pytest.mark.parametrize(
    ("rule", "statuses"),
    [
        ({"alwaysHealthy": {}}, ("True", "Unknown")),
        ({"singleConditionType": "Ready"}, ("True", "False", "Unknown")),
        ({"multiMatch": {"healthy": {}}}, ("True", "Unknown")),
    ],
)
def test_what_a_rule_can_say(rule: Any, statuses: tuple[str, ...]) -> None:
    (evaluator,) = evaluators(_declaration("ClusterTemplate", {"healthRule": rule}))
    assert evaluator.statuses == statuses


def test_the_paths_of_a_rule() -> None:
    field = {"key": ".a", "operator": "Exists", "messagePath": ".b"}
    multi = {"healthy": {"matchFields": [field]}, "unhealthy": {"matchFields": [{"key": ".c"}]}}
    (evaluator,) = evaluators(
        _declaration("ClusterTemplate", {"healthRule": {"multiMatch": multi}})
    )
    shown = [(program.path[2:], program.program.text) for program in evaluator.expressions]
    assert shown == [
        (("multiMatch", "unhealthy", "matchFields", 0, "key"), ".c"),
        (("multiMatch", "healthy", "matchFields", 0, "key"), ".a"),
        (("multiMatch", "healthy", "matchFields", 0, "messagePath"), ".b"),
    ]


def test_the_paths_of_outputs() -> None:
    completion = {"succeeded": {"key": ".s"}, "failed": {"key": ".f"}}
    spec = {"observedCompletion": completion, "observedMatches": [{"input": ".i", "output": ".o"}]}
    (evaluator,) = evaluators(_declaration("ClusterDeploymentTemplate", spec))
    assert [program.role for program in evaluator.expressions] == ["key", "key", "input", "output"]


@pytest.mark.parametrize(
    ("template", "kind"),
    [
        ({"apiVersion": "a.io/v1", "kind": "A"}, GroupKind("a.io", "A")),
        ({"apiVersion": "a.io/v1", "kind": "$(params.kind)$"}, None),
        (None, None),
    ],
)
def test_what_a_template_stamps(template: Any, kind: GroupKind | None) -> None:
    (evaluator,) = evaluators(_declaration("ClusterTemplate", {"template": template}))
    assert evaluator.group_kind == kind
    assert evaluator.applies({"apiVersion": "a.io/v1", "kind": "A"})
    assert evaluator.applies({"kind": "B"}) is (kind is None)


@pytest.mark.parametrize("rule", [{"healthRule": {"singleConditionType": "Ready"}}, {}])
def test_of_several_objects_the_stamped_one_counts(rule: Any) -> None:
    stamped = {"apiVersion": "a.io/v1", "kind": "A"}
    declaration = _declaration(
        "ClusterImageTemplate", {**rule, "template": stamped, "imagePath": ".status.image"}
    )
    (evaluator,) = evaluators(declaration)
    status = {"image": "i", "conditions": [{"type": "Ready", "status": "True"}]}
    other = {"apiVersion": "v1", "kind": "ConfigMap"}
    seen = cluster({"objects": [other, {**stamped, "status": status}]})
    assert evaluator.evaluate(seen).status == "True"


def test_a_template_of_a_run_has_values_and_no_health() -> None:
    (evaluator,) = evaluators(_declaration("ClusterRunTemplate", {"outputs": {"a": ".b"}}))
    assert [each.path for each in evaluator.expressions] == [("spec", "outputs", "a")]
    assert evaluator.evaluate(cluster({"objects": [{"b": 1}]})).status == ""


_KINDS = one_of("ClusterTemplate", "ClusterDeploymentTemplate", "Workload", "ClusterRunTemplate")
_SPECS = some({"healthRule": RULES, "observedMatches": st.lists(ANYTHING, max_size=2)})


@given(_KINDS, _SPECS | ANYTHING, objects([("example.com/v1", "Thing")]))
def test_every_judge_has_a_verdict_on_every_value(kind: str, spec: Any, obj: Any) -> None:
    declaration = _declaration(kind, spec)
    case = {"objects": [obj], "settings": {"templates": [_declaration("ClusterTemplate", spec)]}}
    for evaluator in evaluators(declaration):
        assert evaluator.evaluate(cluster(case)).status in evaluator.statuses
        assert isinstance(evaluator.applies(obj), bool)
