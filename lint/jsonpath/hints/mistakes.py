"""Mistakes in a path: what client-go refuses, and what it reads differently than the user means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from celvet.lint.jsonpath.errors import JSONPathError, PathErrorCause
from celvet.lint.jsonpath.eval.path_values import OPERATORS
from celvet.lint.jsonpath.eval.template import PathTemplate
from celvet.lint.jsonpath.hints.analysis import descend, label_steps
from celvet.lint.jsonpath.parse.nodes import (
    ArrayNode,
    FieldNode,
    FilterNode,
    IdentifierNode,
    ListNode,
    PathNode,
    UnionNode,
)
from celvet.lint.model import Span
from celvet.record import record
from celvet.regex import regex
from celvet.schemas.dialect import Wrap

MisreadingCause: TypeAlias = Literal[
    "bare-word",
    "empty-index",
    "empty-key",
    "odd-key",
    "split-key",
    "unknown-operator",
    "unpaired-range",
]
"""The kinds of misreading, as a closed set."""

_Table: TypeAlias = tuple[tuple[str, str], ...]
_BRACES: _Table = (
    (r"\{\{|(?<=\{)\{", "write one pair of braces: nothing renders `{{ }}` here"),
    (r"(?<=\$)\{", "write the key itself, or substitute `${...}` before the manifest is applied"),
)
_BRACED = "begin the path with `{.`, or without a brace: the controller puts `{.` before it"
_HABITS: _Table = (
    ("[\u2018-\u201f\u00ab\u00bb]", "write straight quotes"),
    (r"""[=<>(\[]\s*\\["']""", "remove the backslash before the quote, which only a shell needs"),
    ("=~", "compare with `==`, since client-go has no regular expressions"),
    (r"\[\?\s*[^(\s]", 'put the condition in parentheses: `[?(@.type=="Ready")]`'),
)
_AT_PLACE: dict[PathErrorCause, _Table] = {
    "unexpected-character": (
        (r"&&|\|\|", "compare one thing in a filter, since client-go has neither `&&` nor `||`"),
        (r"\|", "end the path before `|`, since client-go has no pipes"),
        ("!", "test for existence or compare with `!=`, since client-go has no `!`"),
        (",", "write each path in braces of its own: `{.a}{.b}`"),
        (r"\*", "write `.*` for all values, or `[*]` for all elements"),
        (r"\\", r'put the escape in quotes: `{"\n"}`'),
        ("\t", "write a space instead of the tab"),
    ),
    "invalid-index": (
        ('"', "write the key in single quotes: `['key']`"),
        (r"'[^',\]]*,|(?<=,)[^',\]]*'", r"escape the comma and write the key as a step: `.a\,b`"),
        (r"\s*[^\W\d]", "put the key in single quotes: `['key']`"),
    ),
}
_BY_CAUSE: dict[PathErrorCause, str] = {
    "empty-path": "write a path such as `.status.phase`",
    "invalid-index": "write an index, a slice such as `[1:3]`, `[*]`, or a key in single quotes",
    "invalid-number": "put quotes around it if it is text",
    "invalid-quote": r"write escapes as Go does: `\n`, `\u00e9`, and `\"` for the quote itself",
    "nested-braces": "write one path, without braces or with one pair around all of it",
    "repeated-descent": "write `..` once",
    "too-large": "write a shorter path",
    "unclosed-action": "close the brace with `}` on the same line",
    "unclosed-filter": "close the filter with `)]` right after the condition",
    "unexpected-character": "remove the character, or put text in quotes",
    "unterminated-array": "close the bracket with `]` on the same line",
    "unterminated-filter": "close the filter's quotes, and then the filter with `)]`",
    "unterminated-quote": "close the quote on the same line",
}


@record
class Misreading:
    """A part of an accepted path that does not do what it seems to do.

    `fails` says that every evaluation that reaches it is an error.
    """

    cause: MisreadingCause
    message: str
    hint: str
    span: Span
    fails: bool = False


_KEYWORDS = ("range", "end")
_QUOTED_KEY = regex(r"\['([^',\]]*)'\]")
_UNESCAPED_DOT = regex(r"(?<!\\)\.")


def misreadings(template: PathTemplate) -> Iterator[Misreading]:
    """The misreadings of a template, by kind; spans are in the parsed text."""
    yield from _bare_words(template.groups, certain=True)
    yield from _unpaired_loops(template.groups)
    yield from _split_keys(template)
    for node in descend(template.groups):
        if isinstance(node, FieldNode) and not node.name:
            yield _empty_key(node)
        elif isinstance(node, ArrayNode) and node.single and node.start is None:
            message = "`[]` is read as `[0]`, only the first element"
            yield Misreading("empty-index", message, "write `[*]` for all elements", node.span)
        elif isinstance(node, FilterNode) and node.operator and node.operator not in OPERATORS:
            yield _unknown_operator(node)


def _bare_words(nodes: Sequence[PathNode], *, certain: bool) -> Iterator[Misreading]:
    """Words that are not keywords; in a filter they fail only if there are elements."""
    for node in nodes:
        if isinstance(node, IdentifierNode) and node.name not in _KEYWORDS:
            message = f"`{node.name}` is unquoted: evaluation fails with `unrecognized identifier`"
            hint = r"put text in quotes, a `.` before a key, and write a space in a key as `\ `"
            yield Misreading("bare-word", message, hint, node.span, fails=certain)
        elif isinstance(node, ListNode):
            yield from _bare_words(node.nodes, certain=certain)
        elif isinstance(node, UnionNode):
            yield from _bare_words(node.branches, certain=certain)
        elif isinstance(node, FilterNode):
            sides = (node.left, node.right) if node.right else (node.left,)
            yield from _bare_words(sides, certain=False)


def _unpaired_loops(nodes: Sequence[PathNode]) -> Iterator[Misreading]:
    loops: list[Span] = []
    for node in descend(nodes):
        if not isinstance(node, IdentifierNode) or node.name not in _KEYWORDS:
            continue
        if node.name == "range":
            loops.append(node.span)
        elif loops:
            loops.pop()
        else:
            message = "`end` closes nothing: evaluation fails with `not in range`"
            hint = "write `{range ...}` before it, or remove it"
            yield Misreading("unpaired-range", message, hint, node.span, fails=True)
    message = "`range` has no `{end}`: what follows it is evaluated once more on the whole object"
    for span in loops:
        yield Misreading("unpaired-range", message, "close the loop with `{end}`", span)


def _split_keys(template: PathTemplate) -> Iterator[Misreading]:
    """Keys with dots that were not escaped, quoted in brackets or below the labels."""
    starts_in_brackets: set[int] = set()
    for group in template.groups:
        for match in _QUOTED_KEY.finditer(template.source, *group.span):
            if isinstance(group, ListNode) and _UNESCAPED_DOT.search(match[1]):
                starts_in_brackets.add(match.start(1))
                yield _split_key(match[0], match[1], Span(*match.span()))
    for keys in label_steps(template.groups):
        span = Span(keys[0].span.start, keys[-1].span.end)
        if span.start not in starts_in_brackets:
            text = template.source[span.start : span.end]
            yield _split_key(text, ".".join(key.name for key in keys), span)


def _split_key(text: str, key: str, span: Span) -> Misreading:
    message = (
        f"`{text}` is read as several keys, one inside the other, because its dots separate them"
    )
    key_with_escapes = _UNESCAPED_DOT.sub(r"\\.", key)
    return Misreading("split-key", message, f"escape the dots: `['{key_with_escapes}']`", span)


def _empty_key(node: FieldNode) -> Misreading:
    message = "a `.` without a name reads the key with an empty name, which no object has"
    hint = "write a key right after the `.`, without `$`, `@` or `[`"
    return Misreading("empty-key", message, hint, node.span)


def _unknown_operator(node: FilterNode) -> Misreading:
    message = f"`{node.operator}` is not an operator: evaluation fails if both sides have a value"
    hint = "write one of `==`, `!=`, `<`, `<=`, `>`, `>=`"
    return Misreading("unknown-operator", message, hint, node.span)


def advice(text: str, error: JSONPathError, style: Wrap) -> str:
    """One imperative sentence; the text and the error's span are the user's."""
    start = error.span.start
    if error.cause == "nested-braces":
        start = max(text.find("{{"), text.find("${") + 1)
    has_braces = style == "ends" and text.startswith("{") and start == 0
    return (
        _at(_BRACES, text, start)
        or (_BRACED if has_braces else "")
        or next((hint for pattern, hint in _HABITS if re.search(pattern, text)), "")
        or _at(_AT_PLACE.get(error.cause, ()), text, start)
        or _BY_CAUSE[error.cause]
    )


def _at(table: _Table, text: str, start: int) -> str:
    """The first hint whose pattern matches from `start` on; it may look behind that."""
    hints = (hint for pattern, hint in table if re.compile(pattern).match(text, start))
    return next(hints, "")
