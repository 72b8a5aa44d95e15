"""A finished report, written for people or for machines: one module a format.

A module here is a format of the same name and has one function:

    render(report: Report, color: bool) -> str

The directory is the registry. A format sees the report and nothing else; only
one for terminals has a use for `color`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, cast

if TYPE_CHECKING:
    from lint.report import Report

Render: TypeAlias = "Callable[[Report, bool], str]"


def names() -> tuple[str, ...]:
    """The formats there are, in alphabetical order; loads none of them."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def renderer(name: str) -> Render:
    """The function that writes a format."""
    return cast(Render, importlib.import_module(f"{__name__}.{name}").render)
