"""Writes one text in every YAML style, with every variation that YAML allows.

Independent of the reader: it knows what a style can say, not how it is read.
`pick` is the source of choices (hypothesis in the tests).
"""

from __future__ import annotations

import re
from collections.abc import Callable

Pick = Callable[[list[str]], str]

_ESCAPES = {
    "\0": "0", "\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r",
    "\x1b": "e", " ": " ", '"': '"', "/": "/", "\\": "\\", "\x85": "N", "\xa0": "_",
    "\u2028": "L", "\u2029": "P",
}  # fmt: skip
_PRINTABLE = re.compile(
    "[\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-]"
)
BLANKS = (" ", "\t")


def plain(text: str, pick: Pick, indent: str, eol: str) -> str | None:
    """Without quotes; None where the text needs them."""
    forbidden = (
        r"\A[-?:,\[\]{}#&*!|>'\"%@`]|\A\s|\s\Z|:\s|:\Z|\s#|\A\Z|[ \t]\n|\n[ \t]|\A(---|\.\.\.)"
    )
    if re.search(forbidden, text) or not all(c == "\n" or _PRINTABLE.match(c) for c in text):
        return None
    if re.search(r"[,\[\]{}]", text):
        return None
    return _folding(text, pick, indent, eol, str)


def single(text: str, pick: Pick, indent: str, eol: str) -> str | None:
    """In single quotes; None where the text needs escapes."""
    if re.search(r"[ \t]\n|\n[ \t]|\A\n|\n\Z", text):
        return None
    if not all(c == "\n" or _PRINTABLE.match(c) for c in text):
        return None
    return "'" + _folding(text, pick, indent, eol, lambda c: c.replace("'", "''")) + "'"


def _folding(text: str, pick: Pick, indent: str, eol: str, write: Callable[[str], str]) -> str:
    out = ""
    for at, char in enumerate(text):
        if char == "\n":
            starts = at == 0 or text[at - 1] != "\n"
            out += _break(pick, eol) + eol if starts else pick(["", " "]) + eol
            if at + 1 == len(text) or text[at + 1] != "\n":
                out += indent
        elif char == " " and _foldable(text, at) and pick(["stay", "fold"]) == "fold":
            out += _break(pick, eol) + indent
        else:
            out += write(char)
    return out


def _break(pick: Pick, eol: str) -> str:
    return pick(["", " ", "\t "]) + eol


def _foldable(text: str, at: int) -> bool:
    """A space between two visible characters, the second no comment or document marker."""
    if at == 0 or at + 1 >= len(text):
        return False
    before, after = text[at - 1], text[at + 1]
    return (
        before not in " \t\n"
        and after not in " \t\n#"
        and not re.match(r"---|\.\.\.", text[at + 1 :])
    )


def double(text: str, pick: Pick, indent: str, eol: str) -> str:
    """In double quotes: anything can be said."""
    out = ""
    after_join = False
    for at, char in enumerate(text):
        literal = _PRINTABLE.match(char) and char not in '"\\'
        if char in BLANKS and (after_join or at == 0 or at + 1 == len(text) or _at_edge(text, at)):
            literal = False
        if (
            char == " "
            and not after_join
            and _foldable(text, at)
            and pick(["no", "fold"]) == "fold"
        ):
            out += _break(pick, eol) + indent
            continue
        out += (
            char
            if literal and pick(["literal", "literal", "escape"]) == "literal"
            else _escape(char, pick)
        )
        after_join = pick(["no", "no", "no", "join"]) == "join"
        if after_join:
            out += "\\" + eol + indent
    return f'"{out}"'


def _at_edge(text: str, at: int) -> bool:
    """Blanks that would be lost next to a fold are always escaped."""
    return text[at - 1] in " \t\n" or text[at + 1] in " \t\n"


def _escape(char: str, pick: Pick) -> str:
    code = ord(char)
    forms = [f"\\U{code:08x}"]
    if char in _ESCAPES:
        forms.append("\\" + _ESCAPES[char])
    if code <= 0xFFFF:
        forms.append(f"\\u{code:04X}")
    if code <= 0xFF:
        forms.append(f"\\x{code:02x}")
    return pick(forms)


def literal(text: str, pick: Pick, indent: str, eol: str) -> str | None:
    """As a `|` block."""
    if not _block_can_say(text):
        return None
    lines, trailing = _lines(text)
    body = "".join((indent + line if line else _empty(pick, indent)) + eol for line in lines)
    return (
        _header("|", lines, trailing, pick, indent)
        + eol
        + body
        + _rest(trailing - bool(lines), pick, indent, eol)
    )


def folded(text: str, pick: Pick, indent: str, eol: str) -> str | None:
    """As a `>` block."""
    if not _block_can_say(text):
        return None
    lines, trailing = _lines(text)
    body = ""
    for at, line in enumerate(lines):
        body += (
            indent + _fold_words(line, pick, indent, eol) if line else _empty(pick, indent)
        ) + eol
        body += _empty(pick, indent) + eol if _needs_blank(lines, at) else ""
    return (
        _header(">", lines, trailing, pick, indent)
        + eol
        + body
        + _rest(trailing - bool(lines), pick, indent, eol)
    )


def _needs_blank(lines: list[str], at: int) -> bool:
    """Whether one more break is due after a line: before a run of breaks that would fold."""
    line = lines[at]
    following = next((found for found in lines[at + 1 :] if found), None)
    return (
        bool(line)
        and following is not None
        and line[0] not in BLANKS
        and following[0] not in BLANKS
    )


def _fold_words(line: str, pick: Pick, indent: str, eol: str) -> str:
    if line[0] in BLANKS:
        return line
    out = ""
    for at, char in enumerate(line):
        fold = (
            char == " "
            and 0 < at < len(line) - 1
            and line[at + 1] not in BLANKS
            and line[at - 1] not in BLANKS
        )
        out += eol + indent if fold and pick(["stay", "fold"]) == "fold" else char
    return out


def _block_can_say(text: str) -> bool:
    return all(c == "\n" or _PRINTABLE.match(c) for c in text)


def _lines(text: str) -> tuple[list[str], int]:
    """The lines up to the last that is not empty, and the number of breaks after it."""
    content = text.rstrip("\n")
    return (content.split("\n") if content else []), len(text) - len(content)


def _header(mark: str, lines: list[str], trailing: int, pick: Pick, indent: str) -> str:
    keep = trailing > 1 or (not lines and trailing > 0)
    chomp = "+" if keep else pick(["", "+"]) if trailing else "-"
    if not lines and not trailing:
        chomp = pick(["", "-", "+"])
    first = next((line for line in lines if line), "")
    width = str(len(indent.removeprefix(OUTER)))
    must = first.startswith(BLANKS) or not first
    size = width if must else pick(["", width])
    order = pick(["size", "chomp"])
    return mark + (size + chomp if order == "size" else chomp + size) + pick(["", " # note: 'x'"])


def _empty(pick: Pick, indent: str) -> str:
    return pick(["", indent, " "])


def _rest(breaks: int, pick: Pick, indent: str, eol: str) -> str:
    """The empty lines after the last line."""
    return "".join(_empty(pick, indent) + eol for _ in range(breaks))


OUTER = "    "
"""Indentation of the mapping in which the scalar stands; that of its content begins with it."""

STYLES: dict[str, Callable[[str, Pick, str, str], str | None]] = {
    "plain": plain,
    "single": single,
    "double": double,
    "literal": literal,
    "folded": folded,
}
