"""The evaluators of an extension and of a ManagedResource."""

from __future__ import annotations

from celvet.lint.checks import CheckedObject
from celvet.lint.controllers.gardener.extension_evaluator import ExtensionEvaluator
from celvet.lint.controllers.gardener.managed_resource import ResourcesHealthy
from celvet.lint.controllers.gardener.shoot import LABEL, taken_up_by
from celvet.lint.controllers.gardener.shoot_condition import ShootCondition
from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.verdicts.evaluator import Evaluator
from celvet.lint.verdicts.unstructured import FieldTypeError, kind_of, text_or

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
