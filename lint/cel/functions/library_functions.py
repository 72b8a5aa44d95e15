"""The functions of libraries that the engine lacks, in Python; `overloads` of a library names them.

Each gets plain values and returns one, and a `ValueError` is an evaluation error.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from celvet.lint.cel.functions.arguments import is_equal, refuse, require
from celvet.lint.cel.functions.go_functions import SLOW

OWN = "@own."
"""The beginning of the names under which the engine gets them."""

PAIR_FUNCTIONS = ("pairs", "mapOf", "merged")
"""Functions of one argument that `celvet.lint.cel.compat.pairs` calls; no expression can."""

_MOST_STEPS = 200_000
_INT64 = 2**63
_NUMBERS = (int, float)


def _has_conditions(status: Any) -> bool:
    """`sdk-go/pkg/cel/library/conditions.go` of Open Cluster Management."""
    conditions = status.get("conditions") if isinstance(status, dict) else None
    return isinstance(conditions, list) and bool(conditions)


def _less(left: Any, right: Any) -> bool:
    """The order of two values of one type; numbers of any type have one."""
    numbers = all(isinstance(value, _NUMBERS) for value in (left, right))
    ordered = isinstance(left, (*_NUMBERS, str, bytes, datetime.datetime, datetime.timedelta))
    is_mixed = isinstance(left, bool) is not isinstance(right, bool)
    if is_mixed or not ordered or (type(left) is not type(right) and not numbers):
        refuse()
    return bool(left < right)


def _is_sorted(values: Any) -> bool:
    """`k8s.io/apiserver/pkg/cel/library/lists.go` (v0.36), like the next five."""
    return not any(_less(right, left) for left, right in pairwise(require(list, values)))


def _sum(values: Any) -> Any:
    total: Any = 0
    for index, value in enumerate(require(list, values)):
        is_summable = isinstance(value, (*_NUMBERS, datetime.timedelta))
        if not is_summable or isinstance(value, bool) or (index and type(value) is not type(total)):
            refuse()
        total = total + value if index else value
        if isinstance(total, int) and not -_INT64 <= total < _INT64:
            raise ValueError("integer overflow")
    return total


def _extreme(name: str, values: Any, is_better: Callable[[Any, Any], bool]) -> Any:
    if not require(list, values):
        raise ValueError(f"{name} called on empty list")
    best = values[0]
    for value in values[1:]:
        best = value if is_better(best, value) else best
    return best


def _index_of(values: Any, wanted: Any) -> int:
    if isinstance(values, str) and isinstance(wanted, str):
        return values.find(wanted)
    places = (place for place, value in enumerate(require(list, values)) if is_equal(value, wanted))
    return next(places, -1)


def _last_index_of(values: Any, wanted: Any) -> int:
    if isinstance(values, str) and isinstance(wanted, str):
        return values.rfind(wanted)
    size = len(require(list, values))
    places = (
        size - 1 - place for place, value in enumerate(reversed(values)) if is_equal(value, wanted)
    )
    return next(places, -1)


def _find(text: Any, pattern: Any) -> str:
    """`k8s.io/apiserver/pkg/cel/library/regex.go` (v0.36), like the next one."""
    matches = _find_all(text, pattern, 1)
    return matches[0] if matches else ""


def _find_all(text: Any, pattern: Any, limit: Any = -1) -> list[str]:
    for kind, value in ((str, text), (str, pattern), (int, limit)):
        require(kind, value)
    from celvet.lint.go.regexp.regex import Regex, RegexError  # few expressions search
    from celvet.lint.go.step_meter import LimitError, StepMeter, UnsupportedError

    meter = StepMeter("the search", _MOST_STEPS)
    try:
        matches = Regex(pattern, meter).find_all(text, meter, limit)
    except RegexError as error:
        raise ValueError(f"Illegal regex: {error}") from None
    except (LimitError, UnsupportedError):
        raise ValueError(SLOW) from None
    return [text[match[0] : match[1]] for match in matches]


def _sort(values: Any) -> list[Any]:
    """`ext/lists.go` of cel-go (0.31), like the next two."""
    for left, right in pairwise(require(list, values)):
        _less(left, right)
    return sorted(values)


def _reverse(values: Any) -> Any:
    return values[::-1] if isinstance(values, str) else require(list, values)[::-1]


def _slice(values: Any, start: Any, end: Any) -> list[Any]:
    size, start, end = len(require(list, values)), require(int, start), require(int, end)
    if start < 0 or end < 0:
        raise ValueError(f"cannot slice({start}, {end}), negative indexes not supported")
    if start > end:
        order = "start index must be less than or equal to end index"
        raise ValueError(f"cannot slice({start}, {end}), {order}")
    if end > size:
        raise ValueError(f"cannot slice({start}, {end}), list is length {size}")
    return list(values[start:end])


LIBRARY_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "find": _find,
    "findAll": _find_all,
    "hasConditions": _has_conditions,
    "indexOf": _index_of,
    "isSorted": _is_sorted,
    "lastIndexOf": _last_index_of,
    "max": lambda values: _extreme("max", values, _less),
    "min": lambda values: _extreme("min", values, lambda best, value: _less(value, best)),
    "reverse": _reverse,
    "slice": _slice,
    "sort": _sort,
    "sum": _sum,
}
"""Those of lists and texts, by name; one of several libraries goes by the type of its target."""


def implementation(name: str) -> Callable[..., Any]:
    """The function of this name."""
    if name in LIBRARY_FUNCTIONS:
        return LIBRARY_FUNCTIONS[name]
    # few dialects have these, and they load what others need not
    from celvet.lint.cel.functions.compositions import COMPOSITIONS
    from celvet.lint.cel.functions.kubernetes import KUBERNETES_FUNCTIONS
    from celvet.lint.cel.functions.network import NETWORK_FUNCTIONS

    others = (KUBERNETES_FUNCTIONS, NETWORK_FUNCTIONS, COMPOSITIONS)
    return next(functions[name] for functions in others if name in functions)
