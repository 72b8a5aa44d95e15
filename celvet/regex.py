"""Regular expressions that are compiled when they are first used: start-up time is a feature.

A run for one file loads modules with 120 of them, and uses a third. Libraries have others: those of
PyYAML take a ninth of such a run, and libyaml needs none of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, AnyStr, cast

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, for constants of a module."""
    return cast("re.Pattern[AnyStr]", _Later(pattern, flags))


@contextmanager
def compiled_later() -> Iterator[None]:
    """While it lasts, `re.compile` is `regex`, so that loading a library compiles nothing.

    For the command line, which has no other thread: what compiles an expression meanwhile gets
    one that `re.sub` and its like do not take.
    """
    compile_ = re.compile
    re.compile = regex  # type: ignore[assignment]
    try:
        yield
    finally:
        re.compile = compile_


class _Later:
    """A pattern that is compiled when an attribute is asked for."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self._flags)
        vars(self).update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)
