"""The CRD's facts about the fields that expressions read.

Without a CRD everything is possible; with several served versions, everything that any of them
allows.
"""

from __future__ import annotations

from celvet.lint.crds.schema import CrdSchema
from celvet.lint.crds.structural import Structural, ValueType
from celvet.lint.model import Path, Value
from celvet.lint.predict.reads.terms import Steps, general
from celvet.lint.values import ABSENT, Absent

_TYPES: dict[ValueType, tuple[type, ...]] = {
    "array": (list,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "object": (dict,),
    "string": (str,),
}

_SAMPLES: dict[ValueType, tuple[Value, ...]] = {
    "array": ([],),
    "boolean": (True,),
    "integer": (1,),
    "number": (1.5,),
    "object": ({},),
    "string": ("Other",),
}


class Shape:
    """Answers for paths that begin at the variables, `root` leading to the object under check."""

    def __init__(self, schema: CrdSchema | None, root: Path) -> None:
        self._schema = schema
        self._root = root

    def has(self, path: Steps) -> bool:
        """Whether an object may have the field; the API server drops all others."""
        nodes = self._nodes(path)
        return nodes is None or bool(nodes)

    def type(self, path: Steps) -> ValueType:
        """The one type of a field; empty if it is unknown or not unique."""
        types = {node.type for node in self._nodes(path) or ()}
        return types.pop() if len(types) == 1 else ""

    def values(self, path: Steps) -> tuple[str, ...] | None:
        """The enumerated values of a field, None if there is no enumeration."""
        nodes = self._nodes(path)
        return self._schema.values(*self._steps(path)) if nodes and self._schema else None

    def allows(self, path: Steps, value: Value) -> bool:
        """Whether the API server takes this value for the field."""
        nodes = self._nodes(path)
        return nodes is None or any(_fits(node, value) for node in nodes)

    def requires(self, path: Steps) -> bool:
        """Whether the field exists whenever its top-level field does.

        False inside a list, which may be empty.
        """
        steps = self._steps(path)
        return len(steps) > 1 and all(
            step is not None and self._is_required(steps[:depth], step)
            for depth, step in enumerate(steps)
            if depth
        )

    def optional(self, path: Steps) -> Steps:
        """The path to remove so that a field is missing: the field, or the parent that requires it.

        A field exists with its parent if it is required there or has a default. Empty if it exists
        whenever its top-level field does.
        """
        top = len(self._root) + 1
        ancestors = (path[:depth] for depth in range(len(path), top, -1))
        return next(
            (ancestor for ancestor in ancestors if not self._comes_with_parent(ancestor)), ()
        )

    def samples(self, path: Steps) -> tuple[Value, ...]:
        """The enumerated values of a field, and a value of each other type that it may have."""
        nodes = self._nodes(path) or ()
        samples = (node.values or _SAMPLES.get(node.type, ()) for node in nodes)
        return tuple(value for values in samples for value in values)

    def numbers(self, path: Steps) -> tuple[int, ...]:
        """Whole numbers that a field may be, if the CRD names any."""
        nodes = self._nodes(path) or ()
        numbers = [number for node in nodes for number in (*node.enum, node.minimum)]
        return tuple(number for number in numbers if type(number) is int)

    def may_be_empty(self, path: Steps) -> bool:
        """Whether a list may be without elements."""
        nodes = self._nodes(path)
        return nodes is None or any(not node.least for node in nodes)

    def default(self, path: Steps) -> Value | Absent:
        """The API server's default for a field, if all versions have the same one."""
        defaults = [node.schema.get("default", ABSENT) for node in self._nodes(path) or ()]
        is_unique = defaults and all(default == defaults[0] for default in defaults)
        return defaults[0] if is_unique and defaults[0] is not None else ABSENT

    def _comes_with_parent(self, path: Steps) -> bool:
        *parent, name = self._steps(path)
        if self._schema is None or name is None:
            return False
        is_in_all_versions = len(self._nodes(path) or ()) == len(self._schema.versions)
        has_default = is_in_all_versions and self.default(path) is not ABSENT
        return has_default or self._is_required(tuple(parent), name)

    def _is_required(self, parent: tuple[str | None, ...], name: str) -> bool:
        if self._schema is None:
            return False
        nodes = self._schema.at(*parent)
        is_in_all_versions = len(nodes) == len(self._schema.versions)
        return is_in_all_versions and all(name in node.required_fields for node in nodes)

    def _nodes(self, path: Steps) -> tuple[Structural, ...] | None:
        """The schemas of a field in the served versions, None if nothing is known."""
        if self._schema is None or path[: len(self._root)] != self._root:
            return None
        return self._schema.at(*self._steps(path))

    def _steps(self, path: Steps) -> tuple[str | None, ...]:
        steps = general(path)[len(self._root) :]
        return tuple(step if isinstance(step, str) else None for step in steps)


def _fits(node: Structural, value: Value) -> bool:
    if value is None:
        return node.nullable
    matches = (type(item) is type(value) and item == value for item in node.enum)
    if node.enum and not any(matches):
        return False
    if type(value) in (int, float) and value < node.minimum:
        return False
    python_types = _TYPES.get(node.type)
    # Not `isinstance`: in Python a bool is an int.
    return python_types is None or type(value) in python_types
