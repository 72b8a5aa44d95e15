"""`eq`, `ne`, `lt`, `le`, `gt`, `ge`, and `deepEqual` (text/template/funcs.go, Go 1.26)."""

from __future__ import annotations

from celvet.lint.go.numbers import GoByte
from celvet.lint.go.quoting import to_bytes
from celvet.lint.gotemplate.errors import CallError
from celvet.lint.gotemplate.formats.verbs import Flags, Formatter
from celvet.lint.gotemplate.functions.signature import Function, function
from celvet.lint.gotemplate.template_limits import Meter
from celvet.lint.gotemplate.template_values import Value, is_nil, kind, type_name, unbox

_BAD_TYPE = "invalid type for comparison"


def _basic(value: Value) -> str:
    """The basic kind of a value in Go's comparisons, "" if it has none."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "uint" if isinstance(value, GoByte) else "int"
    return {float: "float", complex: "complex", str: "string"}.get(type(value), "")


def _incompatible(first: Value, second: Value) -> CallError:
    types = f"{type_name(first)} and {type_name(second)}"
    return CallError(f"incompatible types for comparison: {types}")


def _same(first: Value, second: Value, meter: Meter) -> bool:
    kinds = {_basic(first), _basic(second)}
    if kinds == {"int", "uint"}:
        return bool(first == second)
    if len(kinds) == 2:
        if first is not None and second is not None:
            raise _incompatible(first, second)
        return False
    return bool(first == second) if kinds != {""} else _same_nil(first, second, meter)


def _same_nil(first: Value, second: Value, meter: Meter) -> bool:
    """Compare lists and maps, which are equal only if both are nil."""
    texts = Formatter(Flags(), meter)
    if first is not None and second is not None and kind(first) != kind(second):
        first_text = f"{texts.show(first, 's', 1)}: {type_name(first)}"
        second_text = f"{type_name(second)}: {texts.show(second, 'v', 1)}"
        raise CallError(f"non-comparable types {first_text}, {second_text}")
    if is_nil(first) or is_nil(second):
        return is_nil(first) == is_nil(second)
    raise CallError(f"non-comparable type {texts.show(second, 's', 1)}: {type_name(second)}")


def _equal(meter: Meter, value: Value, *others: Value) -> bool:
    """Whether `value` equals any of the others."""
    if not others:
        raise CallError("missing argument for comparison")
    value = unbox(value)
    return any(_same(value, unbox(candidate), meter) for candidate in others)


def _less(first: Value, second: Value) -> bool:
    """Whether `first` is less than `second`."""
    first, second = unbox(first), unbox(second)
    kinds = _basic(first), _basic(second)
    if "" in kinds:
        raise CallError(_BAD_TYPE)
    if kinds[0] != kinds[1] and set(kinds) != {"int", "uint"}:
        raise _incompatible(first, second)
    if kinds[0] in ("bool", "complex"):
        raise CallError(_BAD_TYPE)
    if kinds[0] == "string":
        return to_bytes(first) < to_bytes(second)
    return bool(first < second)


def _less_or_equal(meter: Meter, first: Value, second: Value) -> bool:
    return _less(first, second) or _equal(meter, first, second)


def deep_equal(meter: Meter, first: Value, second: Value) -> bool:
    """As `reflect.DeepEqual`: the types are the same too, and so is being nil."""
    meter.spend()
    if type_name(first) != type_name(second) or is_nil(first) != is_nil(second):
        return False
    if isinstance(first, list):
        same_length = len(first) == len(second)
        return same_length and all(map(deep_equal, [meter] * len(first), first, second))
    if isinstance(first, dict):
        same_keys = first.keys() == second.keys()
        return same_keys and all(deep_equal(meter, first[key], second[key]) for key in first)
    return bool(first == second)


COMPARISONS: dict[str, Function] = {
    "eq": function("value ...value -> bool", _equal, metered=True),
    "ne": function("value value -> bool", lambda *args: not _equal(*args), metered=True),
    "lt": function("value value -> bool", _less),
    "le": function("value value -> bool", _less_or_equal, metered=True),
    "gt": function("value value -> bool", lambda *args: not _less_or_equal(*args), metered=True),
    "ge": function("value value -> bool", lambda *args: not _less(*args)),
}
