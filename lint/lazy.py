"""Packages and libraries that load only what is used: start-up time is a feature."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType


def on_first_use(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package; `modules` maps each module to its names, with blanks."""
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        attribute = getattr(importlib.import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, attribute)
        return attribute

    return find


def modules(directories: Iterable[str]) -> list[str]:
    """The names of the modules in the directories of a package; `pkgutil` takes 8 ms to load."""
    names = (name for directory in directories for name in os.listdir(directory))  # noqa: PTH208
    return sorted(name[:-3] for name in names if name.endswith(".py") and name != "__init__.py")


@contextmanager
def loaded_later(module: str) -> Iterator[None]:
    """Defers the loading of a module that a library imports meanwhile, until it is used."""
    finder = _LaterFinder(module)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


@contextmanager
def needs_extra(extra: str) -> Iterator[None]:
    """Turns a library that is missing into one line with the extra to install, and status 3."""
    try:
        yield
    except ModuleNotFoundError as error:
        from click import ClickException

        class MissingExtra(ClickException):
            exit_code = 3

        message = f"`{error.name}` is not installed: install `celvet[{extra}]`"
        raise MissingExtra(message) from None


class _LaterFinder:
    """Finds one module, and runs it when one of its attributes is first read."""

    def __init__(self, module: str) -> None:
        self._module = module

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of the module, with a loader that runs it on first use; None for any other."""
        spec = PathFinder.find_spec(name, path, target) if name == self._module else None
        if spec and spec.loader:
            spec.loader = LazyLoader(spec.loader)
        return spec
