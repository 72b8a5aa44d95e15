"""What each controller would say of an object: one package a system, unaware of each other.

A system is a package here. It has `GROUPS`, the API groups whose objects it
judges by, and unless that is empty

    judges(declaration: Value) -> tuple[Judge, ...]

which gives one `celvet.lint.controllers.judge.Judge` for each part of a declaration that
decides by itself, and none for a kind that decides nothing.

The directory is the registry, and it is strict: a package that does not keep
to this is an error, never skipped. Systems are loaded when the first
declaration is to be judged by.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING

from celvet.lint.model import Value

if TYPE_CHECKING:
    from celvet.lint.controllers.judge import Judge

__all__ = ["judges"]


def judges(declaration: Value) -> tuple[Judge, ...]:
    """What there is to judge by in a declaration, in its own order; none in any other object.

    The texts in it are compiled, none is evaluated. Never raises on any value
    that JSON can hold.
    """
    api_version = declaration.get("apiVersion") if isinstance(declaration, dict) else None
    group = api_version.rpartition("/")[0] if isinstance(api_version, str) else ""
    find = _by_group().get(group)
    return find(declaration) if find else ()


@cache
def _by_group() -> dict[str, Callable[[Value], tuple[Judge, ...]]]:
    """API group -> the judges of its system; raises `TypeError` for a package that is none."""
    found: dict[str, Callable[[Value], tuple[Judge, ...]]] = {}
    for name in (module.name for module in pkgutil.iter_modules(__path__) if module.ispkg):
        package = importlib.import_module(f"{__name__}.{name}")
        for group in _groups(package):
            if group in found:
                raise TypeError(f"{package.__file__} judges by {group}, as another system does")
            found[group] = package.judges
    return found


def _groups(package: ModuleType) -> frozenset[str]:
    groups = getattr(package, "GROUPS", None)
    judging = callable(getattr(package, "judges", None))
    if not isinstance(groups, frozenset) or judging != bool(groups):
        raise TypeError(f"{package.__file__} is no system: see the docstring of {__name__}")
    return groups
