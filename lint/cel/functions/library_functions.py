"""The functions of libraries that the engine lacks, in Python; `overloads` of a library names them.

Each gets plain values and returns one, and a `ValueError` is an evaluation error. `NO_OVERLOAD` is
cel-go's for arguments of a type that no overload takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

NO_OVERLOAD = "no such overload"

OWN = "@own."
"""The beginning of the names under which the engine gets them."""


def _has_conditions(status: Any) -> bool:
    """`sdk-go/pkg/cel/library/conditions.go` of Open Cluster Management."""
    conditions = status.get("conditions") if isinstance(status, dict) else None
    return isinstance(conditions, list) and bool(conditions)


LIBRARY_FUNCTIONS: Mapping[str, Callable[..., Any]] = {"hasConditions": _has_conditions}
"""Every such function, by name; one of several libraries goes by the type of its target."""
