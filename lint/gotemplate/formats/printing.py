"""Values as text: Go's `fmt` (fmt/print.go, fmt/format.go, Go 1.26) with the default verb `%v`.

`verbs` has the other verbs.
"""

from __future__ import annotations

from celvet.lint.go.floats import shortest
from celvet.lint.go.quoting import to_bytes
from celvet.lint.gotemplate.template_limits import Meter
from celvet.lint.gotemplate.template_values import Value

_CONSTANTS: dict[int, str] = {True: "true", False: "false"}


def byte_length(text: str) -> int:
    """`len` of a Go string."""
    return len(text) if text.isascii() else len(to_bytes(text))


def _go_complex(value: complex) -> str:
    """A complex number as `%v` prints it."""
    imaginary = shortest(value.imag)
    return f"({shortest(value.real)}{'' if imaginary[0] in '+-' else '+'}{imaginary}i)"


def show(value: Value, meter: Meter) -> str:
    """A value as `%v` prints it."""
    kind = type(value)
    if kind is str:
        return str(value)
    meter.spend()
    if isinstance(value, int):
        return _CONSTANTS[value] if kind is bool else str(int(value))
    if kind is float:
        meter.number()
        return shortest(value)
    if kind is complex:
        return _go_complex(value)
    return "<nil>" if value is None else _container(value, meter)


def _container(value: Value, meter: Meter) -> str:
    if isinstance(value, dict):
        text = " ".join(f"{key}:{show(value[key], meter)}" for key in sorted(value))
        text = f"map[{text}]"
    else:
        text = f"[{' '.join(show(item, meter) for item in value)}]"
    meter.text(len(text))
    return text


def sprint(values: list[Value], meter: Meter) -> str:
    """As `fmt.Sprint`: a space between two values that are both no strings."""
    parts: list[str] = []
    before_string = True
    for value in values:
        is_string = type(value) is str
        if parts and not is_string and not before_string:
            parts.append(" ")
        parts.append(show(value, meter))
        before_string = is_string
    meter.text(sum(map(len, parts)))
    return "".join(parts)


def sprintln(values: list[Value], meter: Meter) -> str:
    """As `fmt.Sprintln`."""
    text = " ".join(show(value, meter) for value in values) + "\n"
    meter.text(len(text))
    return text
