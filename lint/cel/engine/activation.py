"""Activations: variables converted for several evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from celvet.lint.cel.cost.size import PLAIN, measure, parts_of
from celvet.lint.model import Value

if TYPE_CHECKING:
    from celvet.lint.cel.engine.environment import View

_INT64 = 2**63

_SHARED = 8
"""Evaluations that share the engine's view of the variables, which keeps the values they make."""


class Activation:
    """The variables of evaluations, measured and converted once for all of them.

    The variables must not change while it is in use.
    """

    __slots__ = ("_as_go_has_them", "_readable", "_sizes", "_used", "_view", "variables")

    def __init__(self, variables: Mapping[str, Value]) -> None:
        self.variables = variables
        self._sizes: dict[str, int] = {}
        self._as_go_has_them: Mapping[str, Value] | None = None
        self._view: tuple[tuple[str, ...], View] | None = None
        self._used = 0
        self._readable: bool | None = None

    @property
    def readable(self) -> bool:
        """Whether the engine reads all strings; the binding cuts a string at its first NUL."""
        if self._readable is None:
            self._readable = "\0" not in "".join(_texts(self.variables))
        return self._readable

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

    def view(self, libraries: tuple[str, ...], *, keep: bool) -> View:
        """The engine's activation; with `keep`, the next evaluations may share it."""
        if self._view is None or self._view[0] != libraries or self._used >= _SHARED:
            self._view, self._used = (libraries, _view(self.variables, libraries)), 0
        view = self._view[1]
        self._used = self._used + 1 if keep else _SHARED
        return view

    def precise_view(self, libraries: tuple[str, ...]) -> View:
        """The engine's activation of the values as Go decodes them."""
        if self._as_go_has_them is None:
            self._as_go_has_them = _as_json(self.variables)
        return _view(self._as_go_has_them, libraries)


def _view(variables: Mapping[str, Value], libraries: tuple[str, ...]) -> View:
    from celvet.lint.cel.engine.environment import view  # the engine itself

    return view(variables, libraries)


VariableValues: TypeAlias = Mapping[str, Value] | Activation


def bind(variables: VariableValues) -> Activation:
    """The activation of the variables, unless they are one already."""
    return variables if isinstance(variables, Activation) else Activation(variables)


def _texts(value: Any) -> list[str]:
    parts, texts = [value], []
    for part in parts:  # grows while it is walked
        if isinstance(part, str):
            texts.append(part)
        elif not isinstance(part, PLAIN):
            parts += parts_of(part)
    return texts


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
