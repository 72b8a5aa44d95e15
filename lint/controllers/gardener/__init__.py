"""Gardener: health of one object, conditions of an extension, what a Shoot takes up."""

from __future__ import annotations

from celvet.lint.checks import CheckedObject
from celvet.lint.controllers.evaluator import Evaluator
from celvet.lint.controllers.gardener.aggregation import aggregate, documented_success
from celvet.lint.controllers.gardener.checks import CheckResult, check_named
from celvet.lint.controllers.gardener.extension import Results, examine, written
from celvet.lint.controllers.gardener.extension_evaluator import ExtensionEvaluator
from celvet.lint.controllers.gardener.health import check
from celvet.lint.controllers.gardener.managed_resource import ResourcesHealthy
from celvet.lint.controllers.gardener.shoot import LABEL, condition_types, taken_up_by
from celvet.lint.controllers.gardener.shoot_condition import ShootCondition
from celvet.lint.controllers.unstructured import FieldTypeError, kind_of, text_or
from celvet.lint.model import GroupKind, Path, Value

__all__ = [
    "GROUPS",
    "CheckResult",
    "Results",
    "aggregate",
    "check",
    "check_named",
    "condition_types",
    "documented_success",
    "evaluators",
    "examine",
    "taken_up_by",
    "written",
]

_EXTENSIONS, _RESOURCES = "extensions.gardener.cloud", "resources.gardener.cloud"
_MANAGED = GroupKind(_RESOURCES, "ManagedResource")

GROUPS = frozenset({_EXTENSIONS, _RESOURCES})
"""The API groups of the declarations."""


def evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """One of an extension; of a ManagedResource one of its objects, and one a Shoot condition."""
    declaration = checked.value
    kind = kind_of(declaration)
    if kind == _MANAGED:
        return _of_managed_resource(declaration)
    return (ExtensionEvaluator(declaration),) if kind.group == _EXTENSIONS else ()


def _of_managed_resource(declaration: Value) -> tuple[Evaluator, ...]:
    try:
        types = taken_up_by(declaration)
    except FieldTypeError:
        types = ()
    shoots = (ShootCondition(_path(declaration, name), name, declaration) for name in types)
    return (ResourcesHealthy(declaration), *shoots)


def _path(declaration: Value, name: str) -> Path:
    """Of what says that the ManagedResource counts for a condition."""
    label = ("metadata", "labels", LABEL)
    return label if text_or("", declaration, *label) == name else ("spec",)
