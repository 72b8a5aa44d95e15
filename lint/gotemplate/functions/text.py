"""slim-sprig's functions of text (strings.go, v3.0.0)."""

from __future__ import annotations

from collections.abc import Callable

from celvet.lint.go.quoting import (
    from_bytes,
    is_digit,
    is_letter,
    is_surrogate_byte,
    quote,
    to_bytes,
)
from celvet.lint.gotemplate.errors import CallError
from celvet.lint.gotemplate.formats.printing import show
from celvet.lint.gotemplate.functions.signature import SLOW, Function, function
from celvet.lint.gotemplate.template_limits import Meter
from celvet.lint.gotemplate.template_values import ANY_LIST, STRINGS, GoList, GoMap, Value, strings

SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""The characters that `unicode.IsSpace` accepts."""


def _strslice(meter: Meter, value: Value) -> list[str]:
    """A value as sprig makes a list of strings of it; a []string is that list itself."""
    if isinstance(value, list):
        if getattr(value, "type_name", ANY_LIST) == STRINGS:
            return value
        return [show(entry, meter) for entry in value if entry is not None]
    return [] if value is None else [show(value, meter)]


def _map_chars(text: str, change: Callable[[str], str]) -> str:
    """As `strings.Map`: one character gives one character, and a lone byte gives U+FFFD."""
    chars = []
    for char in text:
        new_char = "\ufffd" if is_surrogate_byte(char) else change(char)
        chars.append(new_char if len(new_char) == 1 else char)
    return "".join(chars)


def lower(text: str) -> str:
    """As `strings.ToLower`."""
    if text.isascii():
        return text.lower()
    return _map_chars(text, lambda char: "i" if char == "\u0130" else char.lower())


def _upper(text: str) -> str:
    return text.upper() if text.isascii() else _map_chars(text, str.upper)


def _title(text: str) -> str:
    previous = " "
    chars = []
    for char in text:
        chars.append(_map_chars(char, str.title) if _separates(previous) else _map_chars(char, str))
        previous = char
    return "".join(chars)


def _separates(char: str) -> bool:
    if char < "\x80":
        return not (char.isalnum() or char == "_")
    return not is_letter(char) and not is_digit(char) and char in SPACE


def _repeat(meter: Meter, count: int, text: str) -> str:
    if count < 0:
        raise CallError("strings: negative Repeat count")
    meter.text(count * len(text))
    return text * count


def _trunc(count: int, text: str) -> str:
    data = to_bytes(text)
    if count < 0 and len(data) + count > 0:
        return from_bytes(data[count:])
    return from_bytes(data[:count]) if 0 <= count < len(data) else text


def _substr(start: int, end: int, text: str) -> str:
    data = to_bytes(text)
    size = len(data)
    if start < 0:
        if not 0 <= end <= size:
            raise _out_of_bounds(f"[:{int(end)}]", size if end >= 0 else None)
        return from_bytes(data[:end])
    if end < 0 or end > size:
        if start > size:
            raise _out_of_bounds(f"[{int(start)}:{size}]", None)
        return from_bytes(data[start:])
    if start > end:
        raise _out_of_bounds(f"[{int(start)}:{int(end)}]", None)
    return from_bytes(data[start:end])


def _out_of_bounds(bounds: str, size: int | None) -> CallError:
    length = "" if size is None else f" with length {size}"
    return CallError(f"runtime error: slice bounds out of range {bounds}{length}")


def _quote(meter: Meter, *values: Value) -> str:
    texts = [show(value, meter) for value in values if value is not None]
    meter.characters(sum(map(len, texts)))
    return " ".join(map(quote, texts))


def _squote(meter: Meter, *values: Value) -> str:
    return " ".join(f"'{show(value, meter)}'" for value in values if value is not None)


def _cat(meter: Meter, *values: Value) -> str:
    return " ".join(show(value, meter) for value in values if value is not None)


def _indent(meter: Meter, spaces: int, text: str) -> str:
    if spaces < 0:
        raise CallError("strings: negative Repeat count")
    meter.text(spaces * (1 + text.count("\n")) + len(text))
    pad = " " * spaces
    return pad + text.replace("\n", "\n" + pad)


def _replace(meter: Meter, old: str, new: str, text: str) -> str:
    count = text.count(old)
    meter.text(len(text) + count * max(0, len(new) - len(old)))
    return text.replace(old, new)


def pieces(meter: Meter, text: str, separator: str, limit: int = -1) -> list[str]:
    """As `strings.SplitN`: an empty separator splits between all characters."""
    if limit == 0:
        return []
    count = len(text) if not separator else text.count(separator) + 1
    meter.items(count if limit < 0 else min(count, limit))
    if separator:
        return text.split(separator, limit - 1 if limit > 0 else -1)
    if 0 < limit < len(text):
        return [*text[: limit - 1], text[limit - 1 :]]
    return list(text)


def _split(meter: Meter, separator: str, limit: int, text: str) -> GoMap:
    parts = pieces(meter, text, separator, limit)
    return GoMap({f"_{index}": part for index, part in enumerate(parts)}, "map[string]string")


def _split_list(meter: Meter, separator: str, text: str) -> GoList:
    return strings(pieces(meter, text, separator))


def _join(meter: Meter, separator: str, value: Value) -> str:
    parts = _strslice(meter, value)
    meter.text(sum(map(len, parts)) + len(separator) * len(parts))
    return separator.join(parts)


def _to_strings(meter: Meter, value: Value) -> GoList:
    parts = _strslice(meter, value)
    return parts if isinstance(parts, GoList) else strings(parts)


def _sort_alpha(meter: Meter, value: Value) -> GoList:
    if not isinstance(value, list):
        return strings([show(value, meter)])
    # A []string is sorted in place, as in sprig.
    parts = _to_strings(meter, value)
    meter.spend(len(parts))
    meter.text(sum(map(len, parts)))
    parts.sort(key=to_bytes)
    return parts


_TRIM_ALL = function("string string -> string", lambda chars, text: text.strip(chars))

TEXT: dict[str, Function] = {
    "hello": function("-> string", lambda: "Hello!"),
    "trunc": function("int string -> string", _trunc),
    "trim": function("string -> string", lambda text: text.strip(SPACE)),
    "upper": function("string -> string", _upper, pace=SLOW),
    "lower": function("string -> string", lower, pace=SLOW),
    "title": function("string -> string", _title, pace=SLOW),
    "substr": function("int int string -> string", _substr),
    "repeat": function("int string -> string", _repeat, metered=True),
    "trimall": _TRIM_ALL,
    "trimAll": _TRIM_ALL,
    "trimSuffix": function("string string -> string", lambda end, text: text.removesuffix(end)),
    "trimPrefix": function("string string -> string", lambda start, text: text.removeprefix(start)),
    "contains": function("string string -> bool", lambda part, text: part in text),
    "hasPrefix": function("string string -> bool", lambda part, text: text.startswith(part)),
    "hasSuffix": function("string string -> bool", lambda part, text: text.endswith(part)),
    "quote": function("...any -> string", _quote, metered=True),
    "squote": function("...any -> string", _squote, metered=True),
    "cat": function("...any -> string", _cat, metered=True),
    "indent": function("int string -> string", _indent, metered=True),
    "nindent": function("int string -> string", lambda *args: "\n" + _indent(*args), metered=True),
    "replace": function("string string string -> string", _replace, metered=True),
    "plural": function(
        "string string int -> string", lambda one, many, count: one if count == 1 else many
    ),
    "toString": function("any -> string", lambda meter, value: show(value, meter), metered=True),
    "split": function(
        "string string -> map[string]string",
        lambda meter, separator, text: _split(meter, separator, -1, text),
        metered=True,
        pace=SLOW,
    ),
    "splitn": function("string int string -> map[string]string", _split, metered=True, pace=SLOW),
    "splitList": function("string string -> []string", _split_list, metered=True, pace=SLOW),
    "toStrings": function("any -> []string", _to_strings, metered=True),
    "join": function("string any -> string", _join, metered=True),
    "sortAlpha": function("any -> []string", _sort_alpha, metered=True),
}
