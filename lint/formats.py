"""Output formats: a package with a module for each format, named like the format.

Each module has a function `render(report, color) -> str`. The directory is the registry. Only
formats for terminals use `color`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar, cast

from celvet.lint.lazy import modules
from celvet.record import record

ReportT = TypeVar("ReportT")


@record(slots=False)
class Formats(Generic[ReportT]):
    """The formats of one kind of report: the modules of one package."""

    package: str
    directories: Iterable[str]

    def names(self) -> tuple[str, ...]:
        """The names of the formats, in alphabetical order; loads none of them."""
        return tuple(modules(self.directories))

    def renderer(self, name: str) -> Callable[[ReportT, bool], str]:
        """The function that writes a format."""
        module = importlib.import_module(f"{self.package}.{name}")
        return cast(Callable[[ReportT, bool], str], module.render)
