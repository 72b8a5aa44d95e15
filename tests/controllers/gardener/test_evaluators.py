from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.verdicts.evaluator import ClusterState
from celvet.lint.verdicts.verdict import Verdict
from tests.controllers.evaluating import NOW, cluster, evaluators, verdict_of
from tests.controllers.table import cases
from tests.controllers.values import ANYTHING, objects, one_of, some


def _declaration(kind: str, **fields: Any) -> Any:
    group = "resources" if kind == "ManagedResource" else "extensions"
    head = {"apiVersion": f"{group}.gardener.cloud/v1alpha1", "kind": kind}
    return {**head, "metadata": {"name": "own", "namespace": "shoot"}, "spec": {}, **fields}


@cases("gardener/evaluators")
def test_verdict(case: dict[str, Any]) -> None:
    assert verdict_of(case, _declaration(case["kind"])) == case["expect"]


_PROGRESSING = {"status": "Progressing", "detail": "p", "threshold": "5m"}
_TRUE = {"status": "True"}


def _told(results: list[tuple[int, Any]]) -> list[str]:
    """The statuses at the given minutes, each with the previous verdict."""
    (evaluator,) = evaluators(_declaration("Worker"))
    said: list[Verdict] = []
    for minutes, result in results:
        waited = timedelta(minutes=minutes)
        settings = {"registrations": {"a": "EveryNodeReady"}, "results": {"a": result}}
        previous = said[-1] if said else None
        said.append(
            evaluator.evaluate(
                ClusterState(
                    objects=[],
                    now=NOW + waited,
                    waited=waited,
                    settings=settings,
                    previous=previous,
                )
            )
        )
    return [verdict.status for verdict in said]


def test_progress_runs_out() -> None:
    told = _told([(minutes, _PROGRESSING) for minutes in (0, 3, 5, 6, 7)])
    assert told == ["Progressing", "Progressing", "Progressing", "False", "False"]


def test_progress_counts_from_when_it_began() -> None:
    told = _told([(0, _TRUE), (4, _PROGRESSING), (8, _PROGRESSING), (10, _PROGRESSING)])
    assert told == ["True", "Progressing", "Progressing", "False"]


def test_without_a_time_it_counts_from_the_beginning() -> None:
    (evaluator,) = evaluators(_declaration("Worker"))
    settings = {"registrations": {"a": "EveryNodeReady"}, "results": {"a": _PROGRESSING}}
    seen = cluster({"settings": settings, "waited": 301})
    assert (
        evaluator.evaluate(replace(seen, previous=Verdict(status="Progressing"))).status == "False"
    )


@pytest.mark.parametrize(
    ("fields", "judged_by"),
    [
        ({}, [((), "ResourcesHealthy"), (("spec",), "SystemComponentsHealthy of the Shoot")]),
        (
            {"spec": {"class": "seed"}},
            [((), "ResourcesHealthy"), (("spec",), "ControlPlaneHealthy of the Shoot")],
        ),
    ],
)
def test_evaluators_of_a_managed_resource(fields: Any, judged_by: Any) -> None:
    found = evaluators(_declaration("ManagedResource", **fields))
    assert [(evaluator.path, evaluator.title) for evaluator in found] == judged_by


def test_a_label_names_the_condition() -> None:
    label = "care.gardener.cloud/condition-type"
    metadata = {"name": "own", "labels": {label: "ObservabilityComponentsHealthy"}}
    declaration = _declaration("ManagedResource", metadata=metadata, spec={"class": "seed"})
    _, evaluator = evaluators(declaration)
    assert evaluator.path == ("metadata", "labels", label)
    assert evaluator.applies(declaration)
    assert not evaluator.applies(_declaration("ManagedResource", metadata={"name": "other"}))


_RESULTS = some({"status": one_of("True", "False", "Progressing"), "threshold": one_of("5m", "x")})
_SETTINGS = some(
    {
        "registrations": some({"a": one_of("A", "B"), "Pod/p": one_of("A"), "": one_of("A")}),
        "results": some({"a": _RESULTS}),
        "conditionType": one_of("A", "C"),
        "shoot": ANYTHING,
        "progressingThreshold": one_of("5m"),
    }
)
_KINDS = [("apps/v1", "Deployment"), ("resources.gardener.cloud/v1alpha1", "ManagedResource")]


@given(
    one_of("Worker", "ManagedResource"),
    _SETTINGS,
    st.lists(objects(_KINDS), max_size=2),
    objects([("a/v1", "Worker")]),
    st.none() | st.builds(Verdict, status=one_of("True", "False", "Progressing")),
)
def test_every_judge_has_a_verdict_on_every_value(
    kind: str, settings: Any, found: Any, owner: Any, previous: Any
) -> None:
    seen = cluster({"objects": found, "owner": owner, "settings": settings})
    for evaluator in evaluators(_declaration(kind)):
        assert evaluator.evaluate(replace(seen, previous=previous)).status in evaluator.statuses
        assert all(isinstance(evaluator.applies(obj), bool) for obj in found)
