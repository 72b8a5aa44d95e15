"""The probes of OLM v1 and Package Operator: titles, causes, and any value at all."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.controllers.evaluating import cluster, evaluators
from tests.controllers.values import ANYTHING, objects, one_of, some


def _olm(probes: Any) -> Any:
    head = {"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterObjectSet"}
    return {**head, "spec": {"progressionProbes": probes}}


def _package(probes: Any) -> Any:
    head = {"apiVersion": "package-operator.run/v1alpha1", "kind": "ObjectSet"}
    return {**head, "spec": {"availabilityProbes": probes}}


_POD = {"apiVersion": "v1", "kind": "Pod", "status": {"phase": "Running"}}


def test_the_evaluators_of_an_object() -> None:
    kind = {"selector": {"kind": {"group": "", "kind": "Pod"}}}
    rule = {"cel": {"rule": "self.status.phase == 'Failed'", "message": "not failed"}}
    probes = evaluators(_package([{**kind, "probes": [rule]}, {"selector": {}, "probes": []}]))
    titles = [(evaluator.path, evaluator.title) for evaluator in probes]
    at = ("spec", "availabilityProbes")
    assert titles == [((), "all probes"), ((*at, 0), "Pod"), ((*at, 1), "objects with labels")]
    verdict = probes[0].evaluate(cluster({"objects": [_POD]}))
    assert (verdict.status, verdict.message) == ("False", "not failed")
    assert verdict.cause
    assert verdict.cause.path == (*at, 0, "probes", 0, "cel", "rule")


def test_a_refused_rule_spoils_all_probes() -> None:
    probes = [{"selector": {}, "probes": [{"cel": {"rule": "self.a", "message": "m"}}]}]
    verdict = evaluators(_package(probes))[0].evaluate(cluster({"objects": [_POD]}))
    assert verdict.status == "Unknown"
    assert verdict.error


_TEXTS = one_of("", "status.phase", "status.conditions[0]", ".", "Ready", "True")
_ASSERTION = some(
    {
        "type": one_of("ConditionEqual", "FieldsEqual", "FieldValue", "CEL"),
        "condition": some({"type": _TEXTS, "status": _TEXTS}),
        "conditionEqual": some({"type": _TEXTS, "status": _TEXTS}),
        "fieldsEqual": some({"fieldA": _TEXTS, "fieldB": _TEXTS}),
        "fieldValue": some({"fieldPath": _TEXTS, "value": _TEXTS}),
        "cel": some(
            {"rule": one_of("", "self.status.phase == 'Running'", "self."), "message": _TEXTS}
        ),
    }
)
_SELECTOR = some(
    {
        "type": one_of("GroupKind", "Label"),
        "groupKind": some({"group": one_of("", "example.com"), "kind": one_of("Pod", "Thing")}),
        "kind": some({"group": one_of("", "example.com"), "kind": one_of("Pod", "Thing")}),
        "label": ANYTHING,
        "selector": some({"matchLabels": ANYTHING, "matchExpressions": ANYTHING}),
    }
)
_LISTS = st.lists(_ASSERTION | ANYTHING, max_size=2)
_PROBE = some({"selector": _SELECTOR | ANYTHING, "assertions": _LISTS, "probes": _LISTS})
_OBJECTS = objects([("example.com/v1", "Thing"), ("v1", "Pod")])


@given(st.lists(_PROBE | ANYTHING, max_size=2), st.lists(_OBJECTS | ANYTHING, max_size=2))
def test_every_probe_has_a_verdict_on_every_value(probes: Any, found: Any) -> None:
    for declaration in (_olm(probes), _package(probes)):
        for evaluator in evaluators(declaration):
            verdict = evaluator.evaluate(cluster({"objects": found}))
            assert verdict.status in evaluator.statuses
            assert all(isinstance(evaluator.applies(obj), bool) for obj in found)
            assert all(example.objects for example in evaluator.examples(declaration))
