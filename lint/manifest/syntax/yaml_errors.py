"""Explains the parser's errors in terms of what the user wrote."""

from __future__ import annotations

import json
import re
from collections import deque

import yaml

from celvet.lint.manifest.problem import Mistake
from celvet.lint.safe_text import one_line
from celvet.regex import regex

_FORBIDDEN = regex(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]",
)
_LINE = regex(r"[^\r\n]*")
_COMMENT = regex(r"//[^\r\n]*|/\*")
_NEXT = regex(r"[\"{\[\w-]")


def explain(text: str, error: yaml.YAMLError) -> Mistake:
    """Explain a parser's error about `text`.

    libyaml reports where it had to stop. Its message and the text there show the usual mistakes.
    """
    problem = getattr(error, "problem", None)
    if not problem:
        return _unreadable(text, error)
    mark = getattr(error, "problem_mark", None)
    context = getattr(error, "context_mark", None)
    offset = min(mark.index, len(text)) if mark else 0
    origin = min(context.index, len(text)) if context else offset
    if explanation := _conflict(text) or _explain_json(text) or _tag(text, offset):
        return explanation
    for words, explained in _EXPLAINERS:
        if words in problem:
            return explained(text, offset, origin)
    return Mistake(f"invalid YAML: {problem}", "Correct the YAML.", offset, _line_end(text, offset))


def _unreadable(text: str, error: yaml.YAMLError) -> Mistake:
    found = _FORBIDDEN.search(text)
    if found is None:
        words = str(error).splitlines()[0] if str(error) else type(error).__name__
        return Mistake(f"invalid YAML: {words}", "Correct the YAML.", 0, 0)
    message = f"the control character U+{ord(found[0]):04X} is not allowed in YAML"
    return Mistake(message, "Remove the character, or escape it in double quotes.", *found.span())


def _conflict(text: str) -> Mistake | None:
    """A conflict marker of git."""
    found = _CONFLICT.search(text)
    if not found:
        return None
    message = f"`{found[1]}` marks a merge conflict that is not resolved"
    help_ = "Keep what is right, and remove the markers of git."
    return Mistake(message, help_, *found.span())


_CONFLICT = regex(r"^(<{7}|>{7}) [^\r\n]*", re.MULTILINE)


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _line_end(text: str, offset: int) -> int:
    found = _LINE.match(text, offset)
    return found.end() if found else offset


def _content_end(text: str) -> int:
    """The end of the last line that has more than a comment."""
    last = next(iter(deque(_CONTENT.finditer(text), maxlen=1)), None)
    return last.start() + len(_TRAILING.sub("", last[0]).rstrip()) if last else 0


_CONTENT = regex(r"^[ \t]*+[^\s#][^\r\n]*", re.MULTILINE)
_TRAILING = regex(r"(?<!\S)#.*")


def _bad_token(text: str, offset: int, origin: int) -> Mistake:
    char = text[offset : offset + 1]
    if char == "\t":
        return _tab(text, offset, origin)
    message = f"a value without quotes cannot start with `{char}`"
    return Mistake(message, "Put the value in quotes.", offset, offset + 1)


def _tab(text: str, offset: int, origin: int) -> Mistake:
    at = text.find("\t", _line_start(text, offset), offset + 1)
    start = at if at >= 0 else offset
    return Mistake(
        "a tab in the indentation: YAML allows spaces only",
        "Replace the tab by spaces.",
        start,
        start + 1,
    )


def _tag(text: str, offset: int) -> Mistake | None:
    """A value that begins with `!` on the line, which makes a tag of its first word."""
    before = (text.rfind(mark, 0, offset) + 1 for mark in ",[]{}")
    found = _TAG.search(text, max(_line_start(text, offset), *before), offset)
    if not found:
        return None
    message = "`!` at the beginning of a value starts a tag of YAML"
    return Mistake(message, "Put the value in quotes.", found.end() - 1, _line_end(text, offset))


_TAG = regex(r"(?:(?<=[\r\n])[ \t]*|[:-][ \t]+)!(?!<)")


def _unclosed_quote(text: str, offset: int, origin: int) -> Mistake:
    quote = text[origin : origin + 1]
    message = f"the quote `{quote}` that opens here is never closed"
    return Mistake(message, f"Close the text with `{quote}`.", origin, _line_end(text, origin))


def _unclosed_bracket(text: str, offset: int, origin: int) -> Mistake:
    bracket = text[origin : origin + 1]
    closing = {"[": "]", "{": "}"}.get(bracket, "]")
    if not text[offset:].strip():
        message = f"`{bracket}` opens here and is never closed"
        return Mistake(message, f"Close it with `{closing}`.", origin, origin + 1)
    end = offset + 1 if text[offset] in "]}" else _line_end(text, offset)
    message = f"expected `,` or `{closing}`, but found `{one_line(text[offset:end])}`"
    return Mistake(message, f"Add the missing `,` or `{closing}`.", offset, end, origin)


def _two_colons(text: str, offset: int, origin: int) -> Mistake:
    start = _line_start(text, offset)
    line = text[start:offset]
    if glued := _glued_colon(text, start):
        return glued
    if re.match(r"[ \t]*(?:- +)*[^\s:#]+:\s", line):
        message = "a second `: ` in one value, which would start a mapping inside it"
        help_ = "Put the value in quotes."
    else:
        message = "a key is not allowed here: the line is indented more than the one it continues"
        help_ = "Indent the key like the others of its mapping."
    return Mistake(message, help_, offset, offset + 1)


def _glued_colon(text: str, line_start: int) -> Mistake | None:
    """The mistake if the line before is `key:value`, so that it includes the next line."""
    before = _line_start(text, max(0, line_start - 1))
    for start in (line_start, before):
        found = _GLUED.match(text, start)
        if found:
            return Mistake(
                f"`{one_line(found[1])}:` lacks a space after its colon, so it is not a key",
                f"Write `{one_line(found[1])}: {one_line(found[2])}`.",
                found.start(1),
                found.end(2),
            )
    return None


_GLUED = regex(r"[ \t]*(?:- +)*([A-Za-z_][\w.-]*):([^\s:/][^\s:]*)[ \t]*(?=[\r\n]|\Z)")


def _no_colon(text: str, offset: int, origin: int) -> Mistake:
    if glued := _glued_colon(text, _line_start(text, origin)):
        return glued
    end = _line_end(text, origin)
    message = f"`{one_line(text[origin:end])}` is neither a `key: value` nor part of a text"
    return Mistake(
        message, "Add the missing `:`, or indent the line as part of a text.", origin, end
    )


def _no_key(text: str, offset: int, origin: int) -> Mistake:
    quoted = re.search(r"(['\"])[ \t]*\Z", text[_line_start(text, offset) : offset])
    if quoted and offset < _line_end(text, offset):
        message = f"text follows the closing quote `{quoted[1]}`"
        help_ = f"Double the quotes inside the text, or quote all of it: {_OTHER[quoted[1]]}."
        return Mistake(message, help_, offset, _line_end(text, offset))
    if text[_line_start(text, offset) : offset].strip():
        message = f"`{one_line(text[offset : _line_end(text, offset)])}` is left over on this line"
        return Mistake(message, "Remove it, or quote it.", offset, _line_end(text, offset))
    if text[offset : offset + 1] == "-":
        message = "expected a key of the mapping, but found a list item"
    else:
        message = "the indentation of this line matches no line above it"
    return Mistake(message, "Align the line with its siblings.", offset, _line_end(text, offset))


_OTHER = {"'": '`"..."`', '"': "`'...'`"}


def _no_item(text: str, offset: int, origin: int) -> Mistake:
    return Mistake(
        "this line is part of a list, but does not start with `- ` in the list's column",
        "Align the line with its siblings.",
        offset,
        _line_end(text, offset),
    )


def _escape(text: str, offset: int, origin: int) -> Mistake:
    backslash = max(text.rfind("\\", origin, offset + 2), origin)
    found = _HEX_ESCAPE.match(text, backslash)
    end = found.end() if found else backslash + 2
    written = text[backslash:end]
    message = f"`{written}` is not {'a character' if found else 'an escape of YAML'}"
    help_ = "Double the backslash, or use single quotes, in which it has no meaning."
    return Mistake(message, help_, backslash, end)


_HEX_ESCAPE = regex(r"\\[xuU][0-9A-Fa-f]{0,8}")


def _no_content(text: str, offset: int, origin: int) -> Mistake:
    end = _line_end(text, offset)
    if text[offset:].strip():
        message = f"expected a value, but found `{one_line(text[offset:end])}`"
        return Mistake(message, "Put the value in quotes.", offset, end)
    end = _content_end(text)
    message = "the document ends before a value or a closing bracket"
    return Mistake(message, "Close the bracket.", max(0, end - 1), end)


def _list_on_line(text: str, offset: int, origin: int) -> Mistake:
    message = "a list cannot begin on the line of its key"
    help_ = "Put the item on the next line, or the value in quotes."
    return Mistake(message, help_, offset, _line_end(text, offset))


def _text_after_header(text: str, offset: int, origin: int) -> Mistake:
    message = f"text follows `{text[origin : origin + 1]}` on its line"
    return Mistake(message, "Begin the text on the next line.", offset, _line_end(text, offset))


def _second_document(text: str, offset: int, origin: int) -> Mistake:
    return Mistake(
        "there is text after the end of the document",
        "Correct the indentation, or put `---` between two documents.",
        offset,
        _line_end(text, offset),
    )


def _no_name(text: str, offset: int, origin: int) -> Mistake:
    mark = text[origin : origin + 1]
    return Mistake(
        f"`{mark}` starts {'an alias' if mark == '*' else 'an anchor'}, but no name follows",
        "Put the value in quotes.",
        origin,
        _line_end(text, origin),
    )


_EXPLAINERS = (
    ("cannot start any token", _bad_token),
    ("tab character", _tab),
    ("unexpected end of stream", _unclosed_quote),
    ("unexpected document indicator", _unclosed_quote),
    ("expected ',' or", _unclosed_bracket),
    ("mapping values are not allowed", _two_colons),
    ("could not find expected ':'", _no_colon),
    ("did not find expected key", _no_key),
    ("expected <block end>, but found", _no_key),
    ("did not find expected '-' indicator", _no_item),
    ("escape character", _escape),
    ("hexdecimal", _escape),
    ("invalid Unicode character", _escape),
    ("expected node content", _no_content),
    ("expected the node content", _no_content),
    ("block sequence entries", _list_on_line),
    ("expected comment or line break", _text_after_header),
    ("expected a comment or a line break", _text_after_header),
    ("<document start>", _second_document),
    ("alphabetic or numeric", _no_name),
)


def _explain_json(text: str) -> Mistake | None:
    """Explain a comment or a missing comma in JSON; None if it is another mistake, or none."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return _explained(text, error)
    except (ValueError, RecursionError):
        return None
    return None


def _explained(text: str, error: json.JSONDecodeError) -> Mistake | None:
    if found := _COMMENT.match(text, error.pos):
        message = f"`{found[0][:2]}` does not start a comment: JSON has none"
        return Mistake(message, "Remove the comment.", *found.span())
    if "',' delimiter" in error.msg and _NEXT.match(text, error.pos):
        end = len(text[: error.pos].rstrip())
        return Mistake("a `,` is missing between this value and the next", "Add it.", end - 1, end)
    return None
