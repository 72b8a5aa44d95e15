"""The object that an expression sees if its controller reads objects into Go types.

Mirrors `ToUnstructured` of apimachinery (v0.36, `pkg/runtime/converter.go`), by the types that
the catalogue describes.
"""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.go.durations import parse_duration, show_duration
from celvet.lint.model import Value
from celvet.record import field, record
from celvet.schemas.kind import TypedField
from celvet.schemas.walk import ITEM


@record
class TypedCopies:
    """The typed copies of a controller's variables; without `lacking`, the stored objects.

    `lacking` has the variables that are typed copies, each with the top-level fields that it
    lacks; `type` is the Go type of all of them.
    """

    type: TypedField = field(default_factory=TypedField)
    lacking: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, variables: Mapping[str, Value]) -> Mapping[str, Value]:
        """The variables as expressions see them."""
        copies = dict(variables)
        for name in self.lacking.keys() & copies.keys():
            copy = _typed_copy(copies[name] or {}, self.type)
            if isinstance(copy, dict):
                fields = {key: copy[key] for key in copy if key not in self.lacking[name]}
                copies[name] = fields
        return copies


def _typed_copy(value: Value, as_: TypedField) -> Value:
    """A value as encoded by its Go type."""
    inner = as_.fields.get(ITEM)
    if isinstance(value, list):
        return [_typed_copy(element, inner) for element in value] if inner else value
    if isinstance(value, dict):
        if inner:
            return {name: _typed_copy(element, inner) for name, element in value.items()}
        return _mapping(value, as_)
    if as_.duration and isinstance(value, str):
        return shown_duration(value)
    return value


def shown_duration(text: str) -> str:
    """A duration as Go prints it; any other text unchanged."""
    try:
        return show_duration(parse_duration(text))
    except ValueError:
        return text


def _mapping(value: dict[str, Value], as_: TypedField) -> dict[str, Value]:
    fields = {}
    # A Go struct without `omitempty` writes fields that the manifest leaves out.
    missing = {
        name: typed_field.default
        for name, typed_field in as_.fields.items()
        if (typed_field.default is not None or typed_field.struct or typed_field.null)
        and value.get(name) is None
    }
    for name, part in (*value.items(), *missing.items()):
        field_type = as_.fields.get(name)
        copy = _typed_copy(part, field_type) if field_type else part
        if field_type and field_type.struct and not isinstance(copy, dict):
            copy = {}
        # The type says whether Go writes `null`, and whether it leaves empty values out.
        if copy is None:
            left_out = not (field_type and field_type.null)
        else:
            left_out = bool(field_type and field_type.omitempty and not copy)
        if not left_out:
            fields[name] = copy
    return fields
