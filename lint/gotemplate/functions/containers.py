"""slim-sprig's functions of lists and dictionaries (list.go, dict.go, v3.0.0).

Go walks a map in random order; `keys` and `values` are sorted here.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from celvet.lint.gotemplate.errors import CallError
from celvet.lint.gotemplate.formats.printing import show
from celvet.lint.gotemplate.functions.comparison import deep_equal
from celvet.lint.gotemplate.functions.numeric import to_int64
from celvet.lint.gotemplate.functions.signature import Function, function
from celvet.lint.gotemplate.template_limits import Meter
from celvet.lint.gotemplate.template_values import (
    ANY_MAP,
    GoList,
    Value,
    is_nil,
    kind,
    nil_list,
    strings,
    type_name,
)

_NIL_DEREFERENCE = "runtime error: invalid memory address or nil pointer dereference"

_NO_ROOM = "runtime error: makeslice: len out of range"


def _require_list(value: Value, complaint: str) -> list[Value]:
    if value is None:
        raise CallError(_NIL_DEREFERENCE)
    if not isinstance(value, list):
        raise CallError(f"{complaint} {kind(value)}")
    return value


def _push(items: Value, value: Value) -> list[Value]:
    return [*_require_list(items, "Cannot push on type"), value]


def _prepend(items: Value, value: Value) -> list[Value]:
    return [value, *_require_list(items, "Cannot prepend on type")]


def _chunk(meter: Meter, size: int, items: Value) -> GoList:
    items = _require_list(items, "Cannot chunk type")
    length = len(items)
    # sprig divides floats, and a size of 0 gives Go an infinite or undefined number of chunks.
    ratio = (length - 1) / size if size else math.inf if length > 1 else math.nan
    count = math.floor(ratio) + 1 if math.isfinite(ratio) else -1
    if count < 0:
        raise CallError(_NO_ROOM)
    meter.spend(count)
    chunks: list[Value] = []
    for number in range(count):
        begin = number * size
        chunk_size = size if number < count - 1 else int(math.fmod(length, size)) or size
        if chunk_size < 0:
            raise CallError(_NO_ROOM)
        chunks.append(items[begin : begin + chunk_size])
    return GoList(chunks, "[][]interface {}")


def _first(items: Value) -> Value:
    items = _require_list(items, "Cannot find first on type")
    return items[0] if items else None


def _last(items: Value) -> Value:
    items = _require_list(items, "Cannot find last on type")
    return items[-1] if items else None


def _rest(items: Value) -> list[Value]:
    items = _require_list(items, "Cannot find rest on type")
    return list(items[1:]) if items else nil_list()


def _initial(items: Value) -> list[Value]:
    items = _require_list(items, "Cannot find initial on type")
    return list(items[:-1]) if items else nil_list()


def _reverse(items: Value) -> list[Value]:
    return list(reversed(_require_list(items, "Cannot find reverse on type")))


def _compact(items: Value) -> list[Value]:
    return [item for item in _require_list(items, "Cannot compact on type") if item]


def _contains(meter: Meter, items: list[Value], wanted: Value) -> bool:
    return any(deep_equal(meter, wanted, item) for item in items)


def _uniq(meter: Meter, items: Value) -> list[Value]:
    unique: list[Value] = []
    for item in _require_list(items, "Cannot find uniq on type"):
        if not _contains(meter, unique, item):
            unique.append(item)
    return unique


def _without(meter: Meter, items: Value, *omitted: Value) -> list[Value]:
    items = _require_list(items, "Cannot find without on type")
    return [item for item in items if not _contains(meter, list(omitted), item)]


def _has(meter: Meter, wanted: Value, items: Value) -> bool:
    if items is None:
        return False
    return _contains(meter, _require_list(items, "Cannot find has on type"), wanted)


def _slice(items: Value, *indexes: Value) -> Value:
    items = _require_list(items, "list should be type of slice or array but")
    if not items:
        return None
    start = to_int64(indexes[0]) if indexes else 0
    end = to_int64(indexes[1]) if len(indexes) > 1 else len(items)
    if not 0 <= start <= end <= len(items):
        raise CallError("reflect.Value.Slice: slice index out of bounds")
    part = items[start:end]
    return GoList(part, items.type_name) if isinstance(items, GoList) else part


def _concat(meter: Meter, *lists: Value) -> Value:
    result: list[Value] = []
    for items in lists:
        if items is None:
            raise CallError(_NIL_DEREFERENCE)
        if not isinstance(items, list):
            raise CallError(f"Cannot concat type {kind(items)} as list")
        meter.items(len(result) + len(items))
        result += items
    return result or nil_list()


def _set(meter: Meter, entries: dict[str, Value], key: str, value: Value) -> dict[str, Value]:
    if is_nil(entries):
        raise CallError("assignment to entry in nil map")
    meter.items(len(entries))
    entries[key] = value
    return entries


def _unset(entries: dict[str, Value], key: str) -> dict[str, Value]:
    entries.pop(key, None)
    return entries


def _pluck(key: str, *dicts: dict[str, Value]) -> list[Value]:
    return [entries[key] for entries in dicts if key in entries]


def _keys(*dicts: dict[str, Value]) -> GoList:
    return strings([key for entries in dicts for key in sorted(entries)])


def _pick(entries: dict[str, Value], *keys: str) -> dict[str, Value]:
    return {key: entries[key] for key in keys if key in entries}


def _omit(entries: dict[str, Value], *keys: str) -> dict[str, Value]:
    return {key: value for key, value in entries.items() if key not in keys}


def _dict(meter: Meter, *values: Value) -> dict[str, Value]:
    keys_and_values = [*values, ""] if len(values) % 2 else list(values)
    return {
        show(key, meter): value
        for key, value in zip(keys_and_values[::2], keys_and_values[1::2], strict=True)
    }


def _dig(*path: Value) -> Value:
    if len(path) < 3:
        raise CallError("dig needs at least three arguments")
    *keys, default, value = path
    _assert_type(value, ANY_MAP)
    # sprig asserts the types of the keys before it looks into the dictionary.
    for key in keys:
        _assert_type(key, "string")
    for number, key in enumerate(keys):
        if number:
            _assert_type(value, ANY_MAP)
        if key not in value:
            return default
        value = value[key]
    return value


def _assert_type(value: Value, wanted: str) -> None:
    """As a type assertion on an interface {}."""
    actual_type = "nil" if value is None else type_name(value)
    if actual_type != wanted:
        raise CallError(f"interface conversion: interface {{}} is {actual_type}, not {wanted}")


def _with_must(
    names: str, signature: str, call: Callable[..., Value], *, metered: bool = False
) -> dict[str, Function]:
    """The functions of these names, and their `must` forms: their errors read the same."""
    metered_function = function(signature, call, metered=metered)
    return {
        form: metered_function
        for name in names.split()
        for form in (name, f"must{name[0].upper()}{name[1:]}")
    }


_LIST = function("...any -> []interface {}", lambda *values: list(values))

CONTAINERS: dict[str, Function] = {
    "list": _LIST,
    "tuple": _LIST,
    "concat": function("...any -> any", _concat, metered=True),
    "dict": function("...any -> map", _dict, metered=True),
    "get": function("map string -> any", lambda entries, key: entries.get(key, "")),
    "set": function("map string any -> map", _set, metered=True),
    "unset": function("map string -> map", _unset),
    "hasKey": function("map string -> bool", lambda entries, key: key in entries),
    "pluck": function("string ...map -> []interface {}", _pluck),
    "keys": function("...map -> []string", _keys),
    "values": function(
        "map -> []interface {}", lambda entries: [entries[key] for key in sorted(entries)]
    ),
    "pick": function("map ...string -> map", _pick),
    "omit": function("map ...string -> map", _omit),
    "dig": function("...any -> any", _dig),
    **_with_must("append push", "any any -> []interface {}", _push),
    **_with_must("prepend", "any any -> []interface {}", _prepend),
    **_with_must("chunk", "int any -> [][]interface {}", _chunk, metered=True),
    **_with_must("first", "any -> any", _first),
    **_with_must("last", "any -> any", _last),
    **_with_must("rest", "any -> []interface {}", _rest),
    **_with_must("initial", "any -> []interface {}", _initial),
    **_with_must("reverse", "any -> []interface {}", _reverse),
    **_with_must("compact", "any -> []interface {}", _compact),
    **_with_must("uniq", "any -> []interface {}", _uniq, metered=True),
    **_with_must("without", "any ...any -> []interface {}", _without, metered=True),
    **_with_must("has", "any any -> bool", _has, metered=True),
    **_with_must("slice", "any ...any -> any", _slice),
}
