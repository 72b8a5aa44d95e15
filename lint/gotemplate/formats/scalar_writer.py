"""Scalars of YAML: when go-yaml v2 quotes one, and how it writes it (emitterc.go, resolve.go)."""

from __future__ import annotations

from calendar import monthrange

from celvet.lint.go.plain_scalars import plain_value
from celvet.record import record
from celvet.regex import regex

_WIDTH = 80

_BASE_60 = regex(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_TIMESTAMP = regex(
    r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})"
    r"(?:(?:[Tt](?P<hms>[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2})(?:[.,][0-9]+)?"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2}))"
    r"|(?: (?P<local>[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2})(?:[.,][0-9]+)?))?"
)
_BREAKS = "\r\n\x85\u2028\u2029"
_SPACE_BREAK, _BREAK_SPACE = regex(f" [{_BREAKS}]"), regex(f"[{_BREAKS}] ")
_MEANING = regex(f":(?:[ \t]|$)|[ \t{_BREAKS}\0]#")
_WORD = regex("[A-Za-z0-9_/]+")
_FIRST_BLOCK = "#,[]{}&*!|>'\"%@`"
_NAMED = {0: "0", 7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 0x1B: "e"}
_NAMED |= {0x22: '"', 0x5C: "\\", 0x85: "N", 0xA0: "_", 0x2028: "L", 0x2029: "P"}


def quotes_needed(text: str) -> bool:
    """Whether `text`, unquoted, would be read as something else than a string."""
    if not isinstance(plain_value(text), str):
        return True
    is_number_like = text[0] in "+-0123456789" and (_BASE_60.fullmatch(text) or _is_timestamp(text))
    return bool(is_number_like)


def _is_timestamp(text: str) -> bool:
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        return False
    year, month, day = (int(match[group]) for group in (1, 2, 3))
    if not 1 <= month <= 12 or not 1 <= day <= monthrange(year or 2000, month)[1]:
        return False
    time = match["hms"] or match["local"] or "0:0:0"
    hour, minute, second = map(int, time.split(":"))
    return hour < 24 and minute < 60 and second < 60


@record
class Scalar:
    """A scalar and the style that is wanted for it: plain, `"` or `|`."""

    text: str
    style: str = ""

    @property
    def multiline(self) -> bool:
        """Whether it has a line break."""
        return any(char in _BREAKS for char in self.text)


@record(frozen=False)
class _ScalarStyles:
    plain: bool = True
    single: bool = True
    literal: bool = True


def _allowed_styles(text: str) -> _ScalarStyles:
    """The styles in which a block can have `text`."""
    if not text:
        return _ScalarStyles(literal=False)
    if _WORD.fullmatch(text):  # most keys: the questions below take five times as long
        return _ScalarStyles()
    space_break = _SPACE_BREAK.search(text)
    special = not all(map(_printable, text))
    if space_break or special:
        return _ScalarStyles(plain=False, single=False, literal=False)
    break_space = _BREAK_SPACE.search(text)
    edge = text[0] in " " + _BREAKS or text[-1] in " " + _BREAKS
    multiline = any(char in _BREAKS for char in text)
    plain = not (edge or multiline or break_space or _indicates(text))
    return _ScalarStyles(plain=plain, single=not break_space, literal=text[-1] != " ")


def _indicates(text: str) -> bool:
    """Whether something in `text` has a meaning in YAML."""
    if text.startswith(("---", "...")) or text[0] in _FIRST_BLOCK:
        return True
    if text[0] in "?-" and (len(text) == 1 or text[1] in " \t"):
        return True
    return bool(_MEANING.search(text)) or text[-1] == ":"


def _printable(char: str) -> bool:
    # go-yaml escapes all characters outside the basic plane.
    return (
        char == "\n"
        or " " <= char <= "~"
        or ("\xa0" <= char <= "\ufffd" and char != "\ufeff" and not "\ud800" <= char <= "\udfff")
    )


class ScalarWriter:
    """Writes indicators and scalars, and knows the column."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._marks: list[int] = []
        self.indent = -1
        self._column = 0
        self._whitespace = True
        self.indention = True

    def text(self) -> str:
        """Everything that was written so far."""
        return "".join(self._parts)

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
        self._column += len(text)

    def _break(self, char: str = "\n") -> None:
        self._parts.append(char)
        self._length += 1
        self._column = 0

    def write_indent(self) -> None:
        """Begin a line at the indentation, unless it has just begun."""
        indent = max(self.indent, 0)
        at_indent = self._column == indent and not self._whitespace
        if not self.indention or self._column > indent or at_indent:
            self._break()
        self._put(" " * (indent - self._column))
        self._whitespace = True
        self.indention = True

    def write_indicator(
        self,
        text: str,
        *,
        space_before: bool = False,
        space_after: bool = False,
        indention: bool = False,
    ) -> None:
        """Write punctuation; `indention` keeps the beginning of the line open."""
        if space_before and not self._whitespace:
            self._put(" ")
        self._put(text)
        self._whitespace = space_after
        self.indention = self.indention and indention

    def write_scalar(self, scalar: Scalar, *, simple_key: bool) -> list[int]:
        """Write a scalar in its style, or in the next one that can hold it.

        Returns:
            Where in the text each of its characters begins, and where the last one ends.
        """
        self._marks = []
        text, styles = scalar.text, _allowed_styles(scalar.text)
        style = scalar.style
        # Mirrors `yaml_emitter_select_scalar_style`: each style gives way to one that can hold
        # more.
        if simple_key and scalar.multiline:
            style = '"'
        if not style and (not styles.plain or (not text and simple_key)):
            style = "'" if styles.single else '"'
        if style == "|" and (not styles.literal or simple_key):
            style = '"'
        outer = self.indent
        self.indent = 2 if outer < 0 else outer + 2
        if style == "|":
            self._write_literal(text)
        elif not style:
            self._write_plain(text, folds=not simple_key)
        else:
            self._write_quoted(text, style, folds=not simple_key)
        self.indent = outer
        return self._marks

    def _write_plain(self, text: str, *, folds: bool) -> None:
        if not self._whitespace:
            self._put(" ")
        after_space = False
        for index, char in enumerate(text):
            self._marks.append(self._length)
            if char == " " and folds and not after_space and self._column > _WIDTH:
                self._fold_or_put(text, index)
            else:
                self._put(char)
            after_space = char == " "
        self._marks.append(self._length)
        self._whitespace = self.indention = False

    def _fold_or_put(self, text: str, index: int) -> None:
        if text[index + 1 : index + 2] == " ":
            self._put(" ")
        else:
            self.write_indent()

    def _write_quoted(self, text: str, mark: str, *, folds: bool) -> None:
        self.write_indicator(mark, space_before=True)
        after_space = False
        for index, char in enumerate(text):
            self._marks.append(self._length)
            is_inner = 0 < index < len(text) - 1
            # A space at the end of a line would be lost when the text is read again, so only single
            # ones inside of the text become breaks.
            foldable = folds and not after_space and self._column > _WIDTH and is_inner
            if char == " " and foldable:
                self._fold_quoted(text, mark, index)
            elif mark == "'":
                self._single_char(char, after_break=index > 0 and text[index - 1] in _BREAKS)
            else:
                self._put(_escape(char))
            after_space = char == " "
        self._marks.append(self._length)
        self.write_indicator(mark)
        self._whitespace = self.indention = False

    def _fold_quoted(self, text: str, mark: str, index: int) -> None:
        space_follows = text[index + 1 : index + 2] == " "
        if mark == "'" and space_follows:
            self._put(" ")
            return
        self.write_indent()
        if space_follows:
            self._put("\\")

    def _single_char(self, char: str, *, after_break: bool) -> None:
        if char in _BREAKS:
            if not after_break and char == "\n":
                self._break()
            self._break(char)
            self.indention = True
            return
        if after_break:
            self.write_indent()
        self._put("''" if char == "'" else char)
        self.indention = False

    def _write_literal(self, text: str) -> None:
        # A text that begins with a space needs its indentation told; the hints after it say what
        # becomes of the breaks at the end (`yaml_emitter_write_block_scalar_hints`).
        hints = "2" if text[0] in " " + _BREAKS else ""
        if text[-1] not in _BREAKS:
            hints += "-"
        elif len(text) == 1 or text[-2] in _BREAKS:
            hints += "+"
        self.write_indicator("|", space_before=True)
        self._put(hints)
        self._break()
        self.indention = self._whitespace = True
        after_break = True
        for char in text:
            if char in _BREAKS:
                self._marks.append(self._length)
                self._break(char)
                self.indention = True
            else:
                if after_break:
                    self.write_indent()
                self._marks.append(self._length)
                self._put(char)
                self.indention = False
            after_break = char in _BREAKS
        self._marks.append(self._length)


def _escape(char: str) -> str:
    code = ord(char)
    if _printable(char) and char not in '"\\\n\u2028\u2029':
        return char
    if code in _NAMED:
        return "\\" + _NAMED[code]
    if code <= 0xFF:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"
