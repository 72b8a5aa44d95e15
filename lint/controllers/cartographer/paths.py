"""What Cartographer reads from a stamped object at a path of a template."""

from __future__ import annotations

from functools import lru_cache

from celvet.lint.jsonpath import CompiledPath, Reading, compile_path
from celvet.lint.model import Value
from celvet.schemas import load

_MAX_CACHED = 4_096
"""Longer paths are compiled anew each time, so that the cache stays small."""


def read(path: str, obj: Value) -> Reading:
    """The single value at a path; completed, parsed and read as `pkg/eval` (v0.7.0) does."""
    return compiled(path).read(obj)


def compiled(path: str) -> CompiledPath:
    """The path, compiled; the same text again is free, within bounds."""
    return (_remembered if len(path) <= _MAX_CACHED else _compiled)(path)


def _compiled(path: str) -> CompiledPath:
    return compile_path(path, load().dialects["cartographer"])


_remembered = lru_cache(maxsize=1_024)(_compiled)
