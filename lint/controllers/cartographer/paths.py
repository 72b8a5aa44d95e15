"""Reads values from a stamped object at the paths of a template, as Cartographer does."""

from __future__ import annotations

from functools import lru_cache

from celvet.lint.jsonpath import CompiledPath, PathResult, compile_path
from celvet.lint.model import Value
from celvet.schemas import Dialect

_MAX_CACHED = 4_096
"""Longer paths are compiled again each time, so that the cache stays small."""


def read(path: str, obj: Value, dialect: Dialect) -> PathResult:
    """The single value at a path; completed, parsed and read as `pkg/eval` (v0.7.0) does."""
    compile_ = _cached_path if len(path) <= _MAX_CACHED else compile_path
    return compile_(path, dialect).read(obj)


@lru_cache(maxsize=1_024)
def _cached_path(path: str, dialect: Dialect) -> CompiledPath:
    return compile_path(path, dialect)
