"""What Cartographer reads from a stamped object at a path of a template."""

from __future__ import annotations

from lint.jsonpath import Reading, compile_path
from lint.model import Value
from schemas import load


def read(path: str, obj: Value) -> Reading:
    """The single value at a path; completed, parsed and read as `pkg/eval` (v0.7.0) does."""
    return compile_path(path, load().dialects["cartographer"]).read(obj)
