"""The objects that a declaration names for its variables, as `resourceRefs` of kuttl do."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from celvet.lint.checks import check_value
from celvet.lint.controllers import evaluators
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.schemas import load


def _verdict(ref: dict[str, str], *objects: dict[str, Any]) -> tuple[str, str]:
    declaration = {
        "apiVersion": "kuttl.dev/v1beta1",
        "kind": "TestAssert",
        "resourceRefs": [{"apiVersion": "v1", "kind": "Pod", "ref": "pod", **ref}],
        "assertAll": [{"celExpr": "pod.status.phase == 'Running'"}],
    }
    (evaluator,) = evaluators(check_value(declaration, load()))
    cluster = ClusterState(objects=objects, now=datetime(2026, 1, 1, tzinfo=UTC))
    verdict = evaluator.evaluate(cluster)
    return verdict.status, verdict.error.rpartition("': ")[2]


def _pod(name: str, phase: str) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "x"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "status": {"phase": phase}}


@pytest.mark.parametrize(
    ("ref", "verdict"),
    [
        ({"name": "a"}, ("True", "")),
        ({"name": "a", "namespace": "x"}, ("True", "")),
        ({"name": "b"}, ("False", "")),
        ({"name": "a", "namespace": "y"}, ("False", "no such attribute(s): pod.status.phase")),
        ({"name": "c"}, ("False", "no such attribute(s): pod.status.phase")),
    ],
)
def test_a_variable_is_the_object_that_its_entry_names(
    ref: dict[str, str], verdict: tuple[str, str]
) -> None:
    assert _verdict(ref, _pod("b", "Pending"), _pod("a", "Running")) == verdict
