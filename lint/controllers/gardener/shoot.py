"""Folds check results into the conditions of a Shoot.

Mirrors `pkg/gardenlet/controller/shoot/care/health.go` of Gardener (v1.149).
"""

from __future__ import annotations

from celvet.lint.controllers.gardener.objects import text
from celvet.lint.model import Value
from celvet.lint.values import ABSENT
from celvet.lint.verdicts.unstructured import field

_SYSTEM_COMPONENTS = "SystemComponentsHealthy"
_CONTROL_PLANE = "ControlPlaneHealthy"
_OBSERVABILITY = "ObservabilityComponentsHealthy"

LABEL = "care.gardener.cloud/condition-type"


def counted_conditions(managed_resource: Value) -> tuple[str, ...]:
    """The condition types of the Shoot that a ManagedResource counts for.

    Gardener evaluates each condition separately. So a resource without a class counts for two if
    its label names the observability components, and one with a class counts for none if its label
    names no Shoot condition. Raises `FieldTypeError` for a ManagedResource that does not decode.
    """
    classless = field(managed_resource, "spec", "class") in (None, ABSENT)
    label = text(managed_resource, "metadata", "labels", LABEL)
    memberships = {
        _SYSTEM_COMPONENTS: classless or label == _SYSTEM_COMPONENTS,
        _CONTROL_PLANE: not classless and label in ("", _CONTROL_PLANE),
        _OBSERVABILITY: label == _OBSERVABILITY,
    }
    return tuple(kind for kind, yes in memberships.items() if yes)
