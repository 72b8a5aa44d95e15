"""Example objects for a first health test, and how to put values into them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.jsonpath import CompiledPath
from celvet.lint.jsonpath.parse.nodes import (
    ArrayNode,
    FieldNode,
    FilterNode,
    ListNode,
    PathNode,
    TextNode,
)
from celvet.lint.model import GroupKind, Value
from celvet.record import field, record

FRESH = "just created, without a status"
_LONGEST = 8
"""No list is made longer than this."""

_DEEPEST = 32
"""No value is put deeper than this."""


@record
class Example:
    """The input of a case: its name, the objects, and the settings.

    With `dependency` the objects are what a dependency's expression sees.
    """

    name: str
    objects: tuple[Value, ...]
    settings: Mapping[str, Value] = field(default_factory=dict)
    dependency: bool = False


def example(api_version: str, kind: str, name: str = "", namespace: str = "") -> dict[str, Value]:
    """An object without a status."""
    metadata = {"name": name or "example", **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": {**metadata, "generation": 1}}


def with_conditions(obj: Value, conditions: Mapping[str, str]) -> dict[str, Value]:
    """The object with these further conditions, type -> status."""
    status = obj.get("status", {})
    new_conditions = [{"type": kind, "status": value} for kind, value in conditions.items()]
    return {
        **obj,
        "status": {
            "observedGeneration": obj["metadata"].get("generation", 1),
            **status,
            "conditions": [*status.get("conditions", []), *new_conditions],
        },
    }


def conventional(kind: GroupKind | None) -> Iterator[Example]:
    """An object of a kind during its life, by its condition `Ready`."""
    kind = kind or GroupKind("example.com", "Example")
    fresh = example(f"{kind.group}/v1" if kind.group else "v1", kind.kind)
    yield Example(f"an object {FRESH}", (fresh,))
    for condition in ("Ready", "Stalled", "Reconciling"):
        for status in ("True", "False"):
            name = f"an object whose condition `{condition}` is `{status}`"
            yield Example(name, (with_conditions(fresh, {condition: status}),))


def with_value(obj: Value, path: CompiledPath, value: Value) -> Value | None:
    """The object with the value where a path reads it; None if no such object is known."""
    groups = path.template.groups if path.template else ()
    if len(groups) != 1 or not isinstance(groups[0], ListNode) or len(groups[0].nodes) > _DEEPEST:
        return None
    try:
        target = _put(obj, groups[0].nodes, value)
    except _CannotPlaceError:
        return None
    return target if _is_object(target, obj) and path.read(target).state == "value" else None


def _is_object(value: Value, before: Mapping[str, Value]) -> bool:
    """Whether this is still an object, with the same kind and metadata."""
    if not isinstance(value, dict) or not isinstance(value.get("metadata"), dict):
        return False
    has_same_kind = all(value.get(key) == before[key] for key in ("apiVersion", "kind"))
    has_same_metadata = all(
        value["metadata"].get(key) == text for key, text in before["metadata"].items()
    )
    status = value.get("status", {})
    has_status = isinstance(status, dict) and isinstance(status.get("conditions", []), list)
    return has_same_kind and has_same_metadata and has_status


class _CannotPlaceError(ValueError):
    """A step with an unknown target."""


def _put(into: Value, nodes: Sequence[PathNode], value: Value) -> Value:
    if not nodes:
        return value
    # A field, an index and a filter by `==` show where the value has to be; a wildcard does not.
    step, *next_nodes = nodes
    if isinstance(step, FieldNode) and step.name:
        fields = into if isinstance(into, dict) else {}
        return {**fields, step.name: _put(fields.get(step.name), next_nodes, value)}
    items = list(into) if isinstance(into, list) else []
    if isinstance(step, ArrayNode):
        at = step.start or 0
        if not 0 <= at < _LONGEST:
            raise _CannotPlaceError
        items += [{} for _ in range(at + 1 - len(items))]
        items[at] = _put(items[at], next_nodes, value)
        return items
    if isinstance(step, FilterNode):
        return [*items, _put(_selected(step), next_nodes, value)]
    raise _CannotPlaceError


def _selected(step: FilterNode) -> Value:
    """An element that a filter like `?(@.type=="Ready")` selects."""
    right = step.right.nodes if step.right else ()
    if step.operator != "==" or len(right) != 1 or not isinstance(right[0], TextNode):
        raise _CannotPlaceError
    return _put({}, step.left.nodes, right[0].text)
