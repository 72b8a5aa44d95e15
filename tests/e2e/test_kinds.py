"""Every kind: `kubectl apply` of a good object and of one with a mistake."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet import schemas
from tests.e2e.cluster import Cluster, Document, placed
from tests.tables import read_table
from tests.webhook.reviews import KINDS, OTHER_KINDS, bad_one

pytestmark = pytest.mark.usefixtures("release")
_WARNED: list[dict[str, Any]] = read_table(Path(__file__).parent / "warned.yaml")
_SERVED = {kind.kind for kind in schemas.load().kinds if kind.plural}
_KINDS = [kind for kind in (*KINDS, *OTHER_KINDS) if kind["good"]["kind"] in _SERVED]


def _name(kind: dict[str, Any]) -> str:
    name: str = kind["good"]["kind"]
    return name


@pytest.mark.parametrize("kind", _KINDS, ids=_name)
def test_the_good_are_stored(kind: dict[str, Any], cluster: Cluster, namespace: str) -> None:
    told = cluster.apply(_in(namespace, kind["good"]))
    assert told.err == ""
    assert told.out.endswith(" created\n")


@pytest.mark.parametrize("kind", _KINDS, ids=_name)
def test_the_bad_are_refused_with_their_field(
    kind: dict[str, Any], cluster: Cluster, namespace: str
) -> None:
    document = _in(namespace, bad_one(kind))
    told = cluster.apply(document)
    name = document["metadata"]["name"]
    refusal = f'The {_name(kind)} "{name}" is invalid: {kind["field"]}: '
    assert [line for line in told.err.splitlines() if line.startswith(refusal)], told.err
    assert f"[celvet: {kind['rule']}]" in told.err
    assert told.status == 1


@pytest.mark.parametrize("case", _WARNED, ids=lambda case: case["object"]["kind"])
def test_what_misleads_is_stored_with_a_warning(
    case: dict[str, Any], cluster: Cluster, namespace: str
) -> None:
    told = cluster.apply(_in(namespace, case["object"]))
    [warning] = told.warnings
    assert warning.startswith(f"Warning: {case['warns']}")
    assert told.status == 0


def test_no_served_kind_is_missing_here() -> None:
    assert set(map(_name, _KINDS)) == _SERVED


def _in(namespace: str, document: Document) -> Document:
    """The object in a namespace, or, for a kind without one, under a name of the test's own."""
    if "namespace" in document["metadata"]:
        return placed(document, namespace, document["metadata"]["name"])
    return {**document, "metadata": {**document["metadata"], "name": namespace}}
