"""Activations: variables measured for several evaluations."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, TypeAlias

from celvet.lint.cel.cost.size import CELL, PLAIN, measure, parts_of
from celvet.lint.model import Value

_INT64 = 2**63
_ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))


class Activation:
    """The variables of evaluations, measured once for all of them.

    The variables must not change while it is in use.
    """

    def __init__(self, variables: Mapping[str, Value]) -> None:
        self.variables = variables
        self._sizes: dict[str, int] = {}

    @cached_property
    def _json(self) -> str:
        """The variables as JSON, in a tenth of the time of a walk; empty if it cannot say them."""
        try:
            return _ENCODER.encode(self.variables)
        except (TypeError, ValueError, RecursionError):
            return ""

    @cached_property
    def most_bytes(self) -> int:
        """An upper bound of the bytes of all variables; 0 if it is not known without a walk."""
        # The shortest value in JSON is a digit and a comma, and takes a cell.
        return CELL // 2 * (len(self._json) + 2) if self._json else 0

    @cached_property
    def readable(self) -> bool:
        """Whether the engine reads all strings; the binding cuts a string at its first NUL."""
        if self._json and r"\u0000" not in self._json:
            return True
        return "\0" not in "".join(text for text in self._leaves if isinstance(text, str))

    @cached_property
    def as_engine_takes_them(self) -> Mapping[str, Value]:
        """The values, with messages for times and durations, which JSON does not have."""
        timed = not self._json and any(
            isinstance(leaf, datetime | timedelta) for leaf in self._leaves
        )
        return _as_messages(self.variables) if timed else self.variables

    def size(self, name: str, most: int) -> int:
        """The bytes of a variable, or some number above `most`; 0 if there is no such variable."""
        size = self._sizes.get(name)
        if size is None:
            if name not in self.variables:
                return 0
            size = measure(self.variables[name], most)
            if size <= most:
                self._sizes[name] = size
        return size

    @cached_property
    def as_go_decodes_them(self) -> Mapping[str, Value]:
        """The values as Go decodes them."""
        variables = self.as_engine_takes_them
        return {_as_json(name): _as_json(value) for name, value in variables.items()}

    @cached_property
    def _leaves(self) -> list[Any]:
        """The texts, times and durations in the values."""
        parts, leaves = [self.variables], []
        for part in parts:  # grows while it is walked
            if isinstance(part, str | datetime | timedelta):
                leaves.append(part)
            elif not isinstance(part, PLAIN):
                parts += parts_of(part)
        return leaves


def _as_messages(value: Any) -> Any:
    from celvet.lint.cel.engine.structs import as_messages  # what it loads is rarely needed

    return as_messages(value)


VariableValues: TypeAlias = Mapping[str, Value] | Activation


def bind(variables: VariableValues) -> Activation:
    """The activation of the variables, unless they are one already."""
    return variables if isinstance(variables, Activation) else Activation(variables)


def _as_json(value: Any) -> Any:
    """The value as Go decodes it: no lone surrogates, and no integers beyond 64 bits."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, int) and not -_INT64 <= value < _INT64:
        return float(value)
    if isinstance(value, list):
        return [_as_json(item) for item in value]
    if isinstance(value, Mapping):
        return {_as_json(key): _as_json(item) for key, item in value.items()}
    return value
