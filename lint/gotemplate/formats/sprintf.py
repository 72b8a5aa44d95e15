"""`fmt.Sprintf`: reads the format (fmt/print.go, Go 1.26)."""

from __future__ import annotations

from celvet.lint.gotemplate.formats.verbs import Flags, Formatter
from celvet.lint.gotemplate.template_limits import Meter
from celvet.lint.gotemplate.template_values import Value, kind, type_name

_FLAGS = {"#": "sharp", "0": "zero", "+": "plus", "-": "minus", " ": "space"}
_LARGEST = 1_000_000
_INTEGERS = ("int", "int64", "uint8")


class _Format:
    """One run over a format."""

    def __init__(self, text: str, args: list[Value], meter: Meter) -> None:
        self._text = text
        self._args = args
        self._meter = meter
        self._pos = 0
        self._arg = 0
        self._reordered = False
        self._good_index = True
        self._after_index = False
        self._out: list[str] = []

    def run(self) -> str:
        while (percent := self._text.find("%", self._pos)) >= 0:
            self._out.append(self._text[self._pos : percent])
            self._pos = percent + 1
            self._out.append(self._verb())
            self._meter.text(len(self._out[-1]))
        self._out.append(self._text[self._pos :])
        if not self._reordered and self._arg < len(self._args):
            self._out.append(self._extra())
        text = "".join(self._out)
        self._meter.text(len(text))
        return text

    def _char(self) -> str:
        return self._text[self._pos : self._pos + 1]

    def _verb(self) -> str:
        flags = Flags()
        self._good_index = True
        while self._char() in _FLAGS:
            setattr(flags, _FLAGS[self._char()], True)
            self._pos += 1
        # Go handles a lower-case verb at once, and keeps the index of the previous verb.
        if not ("a" <= self._char() <= "z" and self._arg < len(self._args)):
            self._index()
            self._width(flags)
            self._precision(flags)
            if not self._after_index:
                self._index()
        verb = self._char()
        if not verb:
            return "%!(NOVERB)"
        self._pos += 1
        return self._show(verb, flags)

    def _show(self, verb: str, flags: Flags) -> str:
        if verb == "%":
            return "%"
        if not self._good_index:
            return f"%!{verb}(BADINDEX)"
        if self._arg >= len(self._args):
            return f"%!{verb}(MISSING)"
        if verb in ("v", "w"):
            flags.go_syntax, flags.sharp, flags.plus = flags.sharp, False, False
        self._arg += 1
        # Sprintf does not wrap errors: %w is a verb that fits nothing.
        return Formatter(flags, self._meter).show(self._args[self._arg - 1], verb)

    def _index(self) -> None:
        self._after_index = False
        if self._char() != "[":
            return
        self._reordered = True
        close = self._text.find("]", self._pos)
        # `parseArgNumber` skips a bracket that cannot hold an index, and reports BADINDEX at the
        # verb.
        if close < 0 or len(self._text) - self._pos < 3:
            self._good_index = False
            self._pos += 1
            return
        digits = self._text[self._pos + 1 : close]
        self._pos = close + 1
        number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 8 else 0
        self._after_index = number > 0 or digits.strip("0") == "" != digits
        if 0 < number <= len(self._args):
            self._arg = number - 1
        else:
            self._good_index = False

    def _width(self, flags: Flags) -> None:
        if self._char() == "*":
            self._pos += 1
            flags.width = self._star("%!(BADWIDTH)")
            if flags.width is not None and flags.width < 0:
                flags.width, flags.minus, flags.zero = -flags.width, True, False
            self._after_index = False
            return
        flags.width = self._number()
        if self._after_index and flags.width is not None:
            self._good_index = False

    def _precision(self, flags: Flags) -> None:
        if self._char() != "." or self._pos + 1 >= len(self._text):
            return
        self._pos += 1
        # Go accepts no index right before the period, as in `%[3].2d`.
        if self._after_index:
            self._good_index = False
        self._index()
        if self._char() == "*":
            self._pos += 1
            flags.precision = self._star("%!(BADPREC)")
            # A negative precision from an argument is an error in Go, but the verb is still
            # printed.
            if flags.precision is not None and flags.precision < 0:
                flags.precision = None
                self._out.append("%!(BADPREC)")
            self._after_index = False
            return
        flags.precision = self._number() or 0

    def _star(self, complaint: str) -> int | None:
        if self._arg < len(self._args):
            value = self._args[self._arg]
            self._arg += 1
            if kind(value) in _INTEGERS and abs(value) <= _LARGEST:
                return int(value)
        self._out.append(complaint)
        return None

    def _number(self) -> int | None:
        begin = self._pos
        while "0" <= self._char() <= "9":
            self._pos += 1
        digits = self._text[begin : self._pos]
        if not digits:
            return None
        number = int(digits[:9])
        if number // 10 > _LARGEST:
            self._pos = len(self._text)
            return None
        return number

    def _extra(self) -> str:
        formatter = Formatter(Flags(), self._meter)
        texts = [
            "<nil>" if arg is None else f"{type_name(arg)}={formatter.show(arg, 'v')}"
            for arg in self._args[self._arg :]
        ]
        return f"%!(EXTRA {', '.join(texts)})"


def sprintf(text: str, args: list[Value], meter: Meter) -> str:
    """As `fmt.Sprintf`."""
    return _Format(text, args, meter).run()
