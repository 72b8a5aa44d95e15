"""What the fields of an object mean for what it applies."""

from __future__ import annotations

from typing import Any

import pytest

from celvet.lint.repository.instance import applying_fields, changing_fields
from celvet.schemas.applier import Applier, appliers

_SPECS: list[dict[str, Any]] = [
    {"path": "./other"},
    {"sourceRef": {"name": "other"}},
    {"targetNamespace": "other"},
    {"namePrefix": "other-"},
    {"components": ["other"]},
    {"commonMetadata": {"labels": {"other": "yes"}}},
    {"postBuild": {"substitute": {"other": "yes"}}},
    {"dependsOn": [{"name": "other"}]},
    {"kubeConfig": {"secretRef": {"name": "other"}}},
]


@pytest.fixture
def kind() -> Applier:
    (found,) = (each for each in appliers() if each.kind == "Kustomization")
    return found


@pytest.mark.parametrize("spec", _SPECS, ids=lambda spec: next(iter(spec)))
def test_a_field_that_counts_for_what_an_object_applies(spec: Any, kind: Applier) -> None:
    assert applying_fields(kind, {"spec": spec}) != applying_fields(kind, {"spec": {}})


def test_other_fields_do_not_count(kind: Applier) -> None:
    assert applying_fields(kind, {"spec": {"interval": "1h"}}) == applying_fields(
        kind, {"spec": {"interval": "2h"}}
    )


def test_the_fields_that_change_what_is_applied(kind: Applier) -> None:
    names = {name for spec in _SPECS for name in spec}
    assert changing_fields(kind) & names == names - {"path", "sourceRef", "dependsOn", "kubeConfig"}
    assert {"nameSuffix", "patches", "patchesStrategicMerge", "patchesJson6902"} < changing_fields(
        kind
    )
