"""Regular expressions that are compiled on first use, for a fast start.

A run for one file loads modules with 120 expressions and uses a third of them. Libraries have more:
compiling those of PyYAML takes a ninth of such a run, although libyaml needs none of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, AnyStr, cast

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Compiles like `re.compile`, but on first use; for constants of a module."""
    return cast("re.Pattern[AnyStr]", _Later(pattern, flags))


@contextmanager
def compiled_later() -> Iterator[None]:
    """Replaces `re.compile` by `regex` for a while, so that loading a library compiles nothing.

    Only for the command line, which has no other thread: `re.sub` and the like do not accept an
    expression compiled during that time.
    """
    compile_ = re.compile
    re.compile = regex  # type: ignore[assignment]
    try:
        yield
    finally:
        re.compile = compile_


class _Later:
    """A pattern that is compiled when one of its attributes is first read."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self._flags)
        vars(self).update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)
