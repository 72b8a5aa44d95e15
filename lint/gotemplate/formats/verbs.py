"""Values as text: `fmt.Sprintf` with its verbs and flags (fmt/print.go, fmt/format.go, Go 1.26)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from celvet.lint.go.floats import shortest
from celvet.lint.go.numbers import MAX_UINT64, GoByte
from celvet.lint.go.quoting import is_print, quote, to_bytes
from celvet.lint.go.step_meter import UnsupportedError
from celvet.lint.gotemplate.template_limits import Meter
from celvet.lint.gotemplate.template_values import ANY, Value, is_nil, item_type, type_name
from celvet.regex import regex

_BASES = {"d": "d", "b": "b", "o": "o", "O": "o", "x": "x", "X": "X", "v": "d"}
_NOT_PLAIN = regex("[\x00-\x08\x0a-\x1f\x7f\ufeff\ud800-\udfff]")
_PREFIXES = {"b": "0b", "x": "0x", "X": "0X"}


@dataclass(slots=True)
class Flags:
    """The flags, the width and the precision of one verb."""

    plus: bool = False
    minus: bool = False
    sharp: bool = False
    space: bool = False
    zero: bool = False
    go_syntax: bool = False
    width: int | None = None
    precision: int | None = None

    def pad(self, text: str, *, zeros: bool = True) -> str:
        """`text` filled up to the width."""
        width = self.width or 0
        if self.minus:
            return text.ljust(width)
        return text.rjust(width, "0" if self.zero and zeros else " ")


class Formatter:
    """Prints values with one verb and its flags."""

    def __init__(self, flags: Flags, meter: Meter) -> None:
        self._flags = flags
        self._meter = meter
        self._printers: dict[type, Callable[[Value, str], str]] = {
            bool: self._bool,
            str: self._string,
            float: self._float,
            complex: self._complex,
        }

    def show(self, value: Value, verb: str, depth: int = 0) -> str:
        """`value` as `verb` prints it; `depth` is 0 for an argument, more for its parts."""
        flags = self._flags
        self._meter.text(flags.width or 0)
        self._meter.text(flags.precision or 0)
        if value is None:
            return self._nil(verb, depth)
        if verb == "T" and not depth:
            return self._truncated_padded(type_name(value))
        if verb == "p" and not depth:
            return self._pointer(value)
        if isinstance(value, int) and type(value) is not bool:
            return self._integer(value, verb)
        printer = self._printers.get(type(value))
        return printer(value, verb) if printer else self._container(value, verb, depth)

    def _nil(self, verb: str, depth: int) -> str:
        if depth:
            return f"{ANY}(nil)" if self._flags.go_syntax else "<nil>"
        return self._flags.pad("<nil>") if verb in "Tv" else f"%!{verb}(<nil>)"

    def _pointer(self, value: Value) -> str:
        if isinstance(value, list | dict):
            raise UnsupportedError("the verb %p prints an address")
        return self._bad(value, "p")

    def _bad(self, value: Value, verb: str) -> str:
        return f"%!{verb}({type_name(value)}={self.show(value, 'v', 1)})"

    def _bool(self, value: Value, verb: str) -> str:
        text = "true" if value else "false"
        return self._flags.pad(text) if verb in "tv" else self._bad(value, verb)

    def _truncated_padded(self, text: str) -> str:
        return self._flags.pad(text[: self._flags.precision])

    def _string(self, value: Value, verb: str) -> str:
        if verb == "q" or (verb == "v" and self._flags.go_syntax):
            text = value[: self._flags.precision]
            if self._flags.sharp and "`" not in text and _plain(text):
                return self._flags.pad(f"`{text}`")
            return self._flags.pad(quote(text, ascii_only=self._flags.plus))
        if verb in "sv":
            return self._truncated_padded(value)
        if verb in "xX":
            return self._hex_string(value, verb)
        return self._bad(value, verb)

    def _hex_string(self, value: str, verb: str) -> str:
        flags = self._flags
        octets = [f"{octet:02{verb}}" for octet in to_bytes(value)[: flags.precision]]
        prefix = "0" + verb if flags.sharp and octets else ""
        separator = f" {prefix}" if flags.space else ""
        return flags.pad(prefix + separator.join(octets))

    def _integer(self, value: int, verb: str) -> str:
        is_unsigned = isinstance(value, GoByte)
        if verb == "v" and self._flags.go_syntax and is_unsigned:
            return f"{int(value):#x}"
        if verb in _BASES:
            return self._digits(int(value), verb)
        # Go converts to `uint64` first, so that negative numbers are no characters either.
        code = int(value) & MAX_UINT64
        char = chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
        if verb == "c":
            return self._flags.pad(char)
        if verb == "q":
            return self._flags.pad(quote(char, "'", ascii_only=self._flags.plus))
        if verb == "U":
            text = f"U+{code:0{max(4, self._flags.precision or 0)}X}"
            is_shown = self._flags.sharp and code < 0x110000 and is_print(char)
            return self._flags.pad(text + (f" '{char}'" if is_shown else ""), zeros=False)
        return self._bad(value, verb)

    def _digits(self, value: int, verb: str) -> str:
        flags = self._flags
        if flags.precision == 0 and value == 0:
            return " " * (flags.width or 0)
        sign = "-" if value < 0 else "+" if flags.plus else " " if flags.space else ""
        digits = format(abs(value), _BASES[verb])
        least = flags.precision or 0
        if flags.precision is None and flags.zero and not flags.minus:
            least = (flags.width or 0) - len(sign)
        digits = digits.rjust(least, "0")
        if flags.sharp:
            digits = self._with_prefix(digits, _BASES[verb])
        return flags.pad(sign + ("0o" if verb == "O" else "") + digits, zeros=False)

    def _with_prefix(self, digits: str, base: str) -> str:
        if base == "o":
            return digits if digits.startswith("0") else f"0{digits}"
        return _PREFIXES.get(base, "") + digits

    def _float(self, value: Value, verb: str) -> str:
        if verb not in "vgGfFeE" and verb not in "bxX":
            return self._bad(value, verb)
        number = self._decimal(value, verb)
        flags = self._flags
        # Mirrors `fmtFloat`: the sign is always there while zeros are put in, and dropped at the
        # end.
        if number[0] not in "+-":
            number = "+" + number
        if flags.space and number[0] == "+" and not flags.plus:
            number = " " + number[1:]
        # Infinities and NaN are never padded with zeros.
        if number[1] in "IN":
            bare = number[1] == "N" or number[0] == "+"
            text = number[1:] if bare and not flags.space and not flags.plus else number
            return flags.pad(text, zeros=False)
        has_sign = flags.plus or number[0] != "+"
        # Zeros go between the sign and the digits.
        if has_sign and flags.zero and not flags.minus:
            return number[0] + number[1:].rjust((flags.width or 0) - 1, "0")
        return flags.pad(number if has_sign else number[1:])

    def _decimal(self, value: float, verb: str) -> str:
        if verb in "bxX" or self._flags.sharp:
            raise UnsupportedError(f"the verb %{verb} of a float with these flags")
        precision = self._flags.precision
        if not math.isfinite(value) or (verb in "vgG" and precision is None):
            text = shortest(value)
        elif verb in "vgG":
            text = format(value, f".{precision}g")
        else:
            digits = 6 if precision is None else precision
            text = format(value, f".{digits}{verb.lower()}")
        return text.replace("e", "E") if verb in "GE" else text

    def _complex(self, value: Value, verb: str) -> str:
        if verb not in "vgGfFeEbxX":
            return self._bad(value, verb)
        plus = self._flags.plus
        real = self._float(value.real, verb)
        self._flags.plus = True
        imaginary = self._float(value.imag, verb)
        self._flags.plus = plus
        return f"({real}{imaginary}i)"

    def _container(self, value: Value, verb: str, depth: int) -> str:
        is_map = isinstance(value, dict)
        syntax = self._flags.go_syntax
        if verb == "w":
            return self._bad(value, verb)
        if syntax and is_nil(value):
            return f"{type_name(value)}(nil)"
        if is_map:
            parts = [
                f"{self.show(key, verb, depth + 1)}:{self.show(value[key], verb, depth + 1)}"
                for key in sorted(value)
            ]
        # Go prints a slice of bytes as a text with these verbs.
        elif verb in "sqxX" and item_type(value) == "uint8":
            raise UnsupportedError("bytes")
        else:
            parts = [self.show(item, verb, depth + 1) for item in value]
        if syntax:
            text = f"{type_name(value)}{{{', '.join(parts)}}}"
        else:
            text = f"{'map' if is_map else ''}[{' '.join(parts)}]"
        self._meter.text(len(text))
        return text


def _plain(text: str) -> bool:
    return not _NOT_PLAIN.search(text)
