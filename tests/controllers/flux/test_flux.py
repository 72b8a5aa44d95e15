from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.model import GroupKind
from tests.controllers.evaluating import cluster, evaluator_at, evaluators, verdict_of
from tests.controllers.table import cases
from tests.controllers.values import ANYTHING, objects, one_of, some

_VERSIONS = {
    "Kustomization": "kustomize.toolkit.fluxcd.io/v1",
    "HelmRelease": "helm.toolkit.fluxcd.io/v2",
}


def _declaration(spec: Any, kind: str = "Kustomization") -> Any:
    metadata = {"name": "own", "namespace": "apps"}
    return {"apiVersion": _VERSIONS[kind], "kind": kind, "metadata": metadata, "spec": spec}


@cases("flux/health")
def test_health(case: dict[str, Any]) -> None:
    kind = case.get("kind", "Kustomization")
    waits = {"wait": True} if kind == "Kustomization" else {}
    declaration = _declaration({**waits, **case["spec"]}, kind)
    assert verdict_of(case, declaration) == case["expect"]


@cases("flux/dependencies")
def test_dependency(case: dict[str, Any]) -> None:
    kind = case.get("kind", "Kustomization")
    declaration = _declaration({"dependsOn": [case["depends"]]}, kind)
    path = ["spec", "dependsOn", 0]
    assert verdict_of({**case, "path": path}, declaration) == case["expect"]


def test_what_the_judges_are_about() -> None:
    exprs = [{"apiVersion": "a.io/v1", "kind": "A", "current": "x"}, {"apiVersion": "v1"}]
    spec = {"healthCheckExprs": exprs, "dependsOn": [{"name": "y", "readyExpr": "true"}]}
    shown = [
        (evaluator.title, evaluator.group_kind) for evaluator in evaluators(_declaration(spec))
    ]
    assert shown == [
        ("A.a.io", GroupKind("a.io", "A")),
        ("every kind of the core group", None),
        ("health of all objects", None),
        ("dependency apps/y", GroupKind("kustomize.toolkit.fluxcd.io", "Kustomization")),
    ]


def test_an_entry_without_failed_never_says_so() -> None:
    entry = {"apiVersion": "a.io/v1", "kind": "A", "inProgress": "x", "current": "y"}
    evaluator = evaluator_at(
        _declaration({"wait": True, "healthCheckExprs": [entry]}), ["spec", "healthCheckExprs", 0]
    )
    assert evaluator.statuses == ("Current", "InProgress", "Unknown", "NotFound")
    assert [program.role for program in evaluator.expressions] == ["inProgress", "current"]


@pytest.mark.parametrize(
    ("api_version", "kind", "first", "second"),
    [
        ("a.io/v1", "A", False, True),
        ("a.io/v2", "A", False, True),
        ("a.io/v1", "B", True, False),
        ("b.io/v1", "A", False, False),
        ("a.io", "A", False, False),
    ],
)
def test_which_entry_applies(api_version: str, kind: str, first: bool, second: bool) -> None:
    entries = [{"apiVersion": "a.io/v1"}, {"apiVersion": "a.io/v1", "kind": "A"}]
    found = evaluators(_declaration({"healthCheckExprs": entries}))
    obj = {"apiVersion": api_version, "kind": kind}
    assert [evaluator.applies(obj) for evaluator in found] == [first, second, True]


@pytest.mark.parametrize(
    ("metadata", "applies"),
    [
        ({"name": "x", "namespace": "apps"}, True),
        ({"name": "x"}, True),
        ({"name": "x", "namespace": "other"}, False),
        ({"name": "y", "namespace": "apps"}, False),
    ],
)
def test_which_object_is_the_dependency(metadata: Any, applies: bool) -> None:
    evaluator = evaluator_at(_declaration({"dependsOn": [{"name": "x"}]}), ["spec", "dependsOn", 0])
    assert evaluator.applies({**_declaration({}), "metadata": metadata}) is applies


def test_what_the_expressions_see() -> None:
    entry = {"apiVersion": "a.io/v1", "kind": "A", "current": "x"}
    spec = {"healthCheckExprs": [entry], "dependsOn": [{"name": "x"}]}
    check, _, dependency = evaluators(_declaration(spec))
    seen = cluster({"objects": [{"kind": "A", "metadata": {"name": "x"}}]})
    assert check.variables(seen) == {"kind": "A", "metadata": {"name": "x"}}
    assert dependency.variables(seen)["dep"]["metadata"] == {"name": "x"}
    assert dependency.variables(seen)["self"]["spec"] == spec


_THING = {"apiVersion": "a.io/v1", "kind": "A"}
_GOOD = {**_THING, "metadata": {"name": "good"}, "status": {"phase": "Up"}}
_BAD = {**_THING, "metadata": {"name": "bad"}, "status": {"phase": "Broken"}}
_LATE = {**_THING, "metadata": {"name": "late"}, "status": {"phase": "Coming"}}
_ODD = {**_THING, "metadata": {"name": "odd"}, "status": {}}
_OTHER = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "other"}}


@pytest.mark.parametrize(
    ("found", "status", "deciding"),
    [
        ([_GOOD, _BAD], "Failed", _BAD),
        ([_OTHER, _BAD], "Failed", _BAD),
        ([_OTHER, _GOOD], "Current", _GOOD),
        ([_GOOD, _ODD, _BAD], "Failed", _BAD),
        ([_GOOD, _LATE, _ODD], "Unknown", _ODD),
        ([_GOOD, _LATE], "InProgress", _LATE),
        ([_GOOD, None], "InProgress", {}),
        ([_GOOD, _GOOD], "Current", _GOOD),
    ],
)
def test_an_entry_judges_every_object_that_it_covers(
    found: Any, status: str, deciding: Any
) -> None:
    texts = {"failed": "status.phase == 'Broken'", "current": "status.phase == 'Up'"}
    declaration = _declaration({"wait": True, "healthCheckExprs": [{**_THING, **texts}]})
    evaluator = evaluator_at(declaration, ["spec", "healthCheckExprs", 0])
    seen = cluster({"objects": found})
    verdict = evaluator.evaluate(seen)
    assert verdict.status == status
    assert bool(verdict.error) is (status == "Unknown")
    assert evaluator.variables(seen) == deciding


def test_of_several_objects_the_dependency_counts() -> None:
    declaration = _declaration({"dependsOn": [{"name": "x", "readyExpr": "dep.status.up == true"}]})
    evaluator = evaluator_at(declaration, ["spec", "dependsOn", 0])
    dependency = {**_declaration({}), "metadata": {"name": "x"}, "status": {"up": True}}
    assert evaluator.evaluate(cluster({"objects": [_OTHER, dependency]})).status == "True"


@pytest.mark.parametrize("value", [None, {}, [], "x", {"apiVersion": 1, "kind": "Kustomization"}])
def test_other_values_have_no_judges(value: Any) -> None:
    assert evaluators(value) == ()


_EXPRESSIONS = one_of("true", "status.phase == 'x'", "(", "now()", "dep.status.x == 1", "'a'", "")
_SPECS = some(
    {
        "timeout": one_of("1m", "x", "9" * 30 + "h"),
        "healthCheckExprs": st.lists(
            some(
                {
                    "apiVersion": one_of("example.com/v1", "v1"),
                    "kind": one_of("Thing", ""),
                    "current": _EXPRESSIONS,
                    "failed": _EXPRESSIONS,
                    "inProgress": _EXPRESSIONS,
                }
            ),
            max_size=3,
        ),
        "dependsOn": st.lists(some({"name": one_of("x"), "readyExpr": _EXPRESSIONS}), max_size=2),
    }
)


@given(_SPECS | ANYTHING, st.lists(objects([("example.com/v1", "Thing")]), max_size=2), ANYTHING)
def test_every_judge_has_a_verdict_on_every_value(spec: Any, found: Any, owner: Any) -> None:
    case = {"objects": found, "owner": owner, "waited": 60}
    for evaluator in evaluators(_declaration(spec)):
        verdict = evaluator.evaluate(cluster(case))
        assert verdict.status in evaluator.statuses
        assert all(isinstance(evaluator.applies(obj), bool) for obj in found)
