"""The verdicts of each controller: one package for each, independent of the others.

A package here has `GROUPS`, the API groups of the objects that declare its checks, and, unless that
is empty,

    evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]

and perhaps

    objections(checked: CheckedObject) -> Iterator[Objection]

The first gives one `celvet.lint.verdicts.evaluator.Evaluator` for each part of an object that
decides by itself, and none for a kind that decides nothing. The second tells why the controller
refuses an object whose expressions are right each by itself. They find checks by the strategy that
the catalogue gives them, and know neither their paths nor the names of their dialects.

The directory is the registry, and it is strict: a package that does not follow these rules is an
error, never skipped. Packages are loaded on first use. A check of a group that no package has, or
without a strategy, is evaluated as its dialect describes (`generic`).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

from celvet.record import replace

if TYPE_CHECKING:
    from celvet.lint.checks import CheckedObject
    from celvet.lint.verdicts.evaluator import Evaluator, Objection

    Find: TypeAlias = Callable[[CheckedObject], tuple[Evaluator, ...]]

__all__ = ["evaluators"]


def evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """The evaluators of an object, in the order of its controller; none for most objects.

    Compiles the expressions, but evaluates none. Never raises on any object.
    """
    package = _packages_by_group().get(checked.object.group_kind.group)
    if package is None:
        return _generic_evaluators(checked)
    find: Find = package.evaluators
    plain_checks = checked.doing("")
    plain_evaluators = (
        _generic_evaluators(replace(checked, checks=plain_checks)) if plain_checks else ()
    )
    return (*find(checked), *plain_evaluators)


def objections(checked: CheckedObject) -> Iterator[Objection]:
    """Why the controller of an object that is a graph refuses it as a whole."""
    package = _packages_by_group().get(checked.object.group_kind.group)
    find = getattr(package, "objections", None)
    return find(checked) if find else iter(())


def _generic_evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    from celvet.lint.controllers.generic import evaluators  # it loads the CEL engine

    return evaluators(checked)


@cache
def _packages_by_group() -> dict[str, ModuleType]:
    """API group -> its package; raises `TypeError` for one without groups."""
    packages: dict[str, ModuleType] = {}
    for name in (module.name for module in pkgutil.iter_modules(__path__) if module.ispkg):
        package = importlib.import_module(f"{__name__}.{name}")
        for group in _groups(package):
            if group in packages:
                raise TypeError(f"{package.__file__} decides by {group}, as another package does")
            packages[group] = package
    return packages


def _groups(package: ModuleType) -> frozenset[str]:
    groups = getattr(package, "GROUPS", None)
    deciding = callable(getattr(package, "evaluators", None))
    if not isinstance(groups, frozenset) or deciding != bool(groups):
        raise TypeError(f"{package.__file__} is not a controller: see the docstring of {__name__}")
    return groups
