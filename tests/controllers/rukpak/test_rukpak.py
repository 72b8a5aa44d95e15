from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.controllers.evaluating import cluster, evaluators, verdict_of
from tests.controllers.table import cases
from tests.controllers.values import ANYTHING, objects, one_of, some


def _definition(spec: Any) -> Any:
    metadata = {"name": "probes"}
    version, kind = "core.rukpak.io/v1alpha1", "BundleProbeDefinition"
    return {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec}


@cases("rukpak/rukpak")
def test_probes(case: dict[str, Any]) -> None:
    definition = _definition(case["definition"])
    if "deployment" not in case:
        assert verdict_of(case, definition) == case["expect"]
        return
    head = {"apiVersion": "core.rukpak.io/v1alpha1", "kind": "BundleDeployment"}
    settings = {"definitions": [definition]}
    case = {**case, "path": ["spec", "probes", "health"], "settings": settings}
    assert verdict_of(case, {**head, **case["deployment"]}) == case["expect"]


def test_the_definition_may_be_among_the_objects() -> None:
    definition = _definition({"health": [{"kind": "a", "path": ".x", "value": "1"}]})
    head = {"apiVersion": "core.rukpak.io/v1alpha1", "kind": "BundleDeployment"}
    (evaluator,) = evaluators({**head, "spec": {"probes": {"health": {"ref": "probes"}}}})
    found = [definition, {"apiVersion": "v1", "kind": "A", "x": 1}]
    assert evaluator.evaluate(cluster({"objects": found})).status == "True"


def test_a_bundle_has_the_same_judges() -> None:
    spec = {"health": [{"name": "n", "group": "apps", "kind": "deployment", "path": ".x"}]}
    plain = {"apiVersion": "bundles.rukpak.io/v1alpha1", "kind": "Plain", "spec": spec}
    shown = [(evaluator.path, evaluator.title) for evaluator in evaluators(plain)]
    assert shown == [((), "all probes"), (("spec", "health", 0), "deployment.apps n")]
    assert shown == [
        (evaluator.path, evaluator.title) for evaluator in evaluators(_definition(spec))
    ]


def test_nothing_to_probe() -> None:
    assert evaluators(_definition({})) == ()
    assert evaluators({**_definition({}), "kind": "BundleDeployment"}) == ()
    assert evaluators({**_definition({}), "kind": "Bundle"}) == ()


_PROBE = some(
    {
        "name": one_of("", "t"),
        "kind": one_of("thing", "Pod"),
        "group": one_of("example.com", ""),
        "version": one_of("v1", ""),
        "path": one_of("", ".status", "{.status.phase}", ".x[", "..*", "{range .x}{end}"),
        "value": one_of("", "Running"),
    }
)
_SPECS = some({"health": st.lists(_PROBE | ANYTHING, max_size=3)})
_OBJECTS = objects([("example.com/v1", "Thing"), ("v1", "Pod")])


@given(_SPECS | ANYTHING, st.lists(_OBJECTS, max_size=2), ANYTHING)
def test_every_probe_has_a_verdict_on_every_value(spec: Any, found: Any, owner: Any) -> None:
    for evaluator in evaluators(_definition(spec)):
        verdict = evaluator.evaluate(cluster({"objects": found, "owner": owner}))
        assert verdict.status in evaluator.statuses
        assert all(isinstance(evaluator.applies(obj), bool) for obj in found)
