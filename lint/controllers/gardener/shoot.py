"""Folds check results into the conditions of a Shoot.

Mirrors `pkg/gardenlet/controller/shoot/care/health.go` of Gardener (v1.149).
"""

from __future__ import annotations

from celvet.lint.controllers.gardener.objects import items, text
from celvet.lint.model import Value
from celvet.lint.values import ABSENT
from celvet.lint.verdicts.unstructured import field

SYSTEM_COMPONENTS = "SystemComponentsHealthy"
CONTROL_PLANE = "ControlPlaneHealthy"
OBSERVABILITY = "ObservabilityComponentsHealthy"
EVERY_NODE = "EveryNodeReady"

LABEL = "care.gardener.cloud/condition-type"


def condition_types(shoot: Value = None) -> tuple[str, ...]:
    """The condition types of extensions that a Shoot has; a workerless one has no nodes.

    Raises `FieldTypeError` for a Shoot that does not decode.
    """
    workerless = shoot is not None and not items(shoot, "spec", "provider", "workers")
    nodes = () if workerless else (EVERY_NODE,)
    return (SYSTEM_COMPONENTS, *nodes, CONTROL_PLANE, OBSERVABILITY)


def taken_up_by(managed_resource: Value) -> tuple[str, ...]:
    """The condition types of the Shoot that a ManagedResource counts for.

    Gardener evaluates each condition separately. So a resource without a class counts for two if
    its label names the observability components, and one with a class counts for none if its label
    names no Shoot condition. Raises `FieldTypeError` for a ManagedResource that does not decode.
    """
    classless = field(managed_resource, "spec", "class") in (None, ABSENT)
    label = text(managed_resource, "metadata", "labels", LABEL)
    asked = {
        SYSTEM_COMPONENTS: classless or label == SYSTEM_COMPONENTS,
        CONTROL_PLANE: not classless and label in ("", CONTROL_PLANE),
        OBSERVABILITY: label == OBSERVABILITY,
    }
    return tuple(kind for kind, yes in asked.items() if yes)
