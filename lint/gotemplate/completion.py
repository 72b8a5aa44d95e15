"""Completion in a template that is still being written."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.gotemplate.analysis import analyse
from celvet.lint.gotemplate.errors import SourceSpan, TemplateError
from celvet.lint.gotemplate.syntax.parser import parse_trees
from celvet.lint.gotemplate.syntax.tokens import LEFT, RIGHT
from celvet.lint.gotemplate.template_limits import TemplateLimits
from celvet.record import record
from celvet.regex import regex

_MARK = "\u01c2completed"
_WORD = regex(r"[\w$.]*$")
_REST = regex(r"\w*")
_MOST_OPEN = 8


@record
class Completion:
    """The text to complete.

    Attributes:
        path: below `inputs`, the value whose field is wanted; None for the name of a
            function.
        prefix: the part of the name before the place.
        span: the whole name, which a completion replaces.
    """

    path: tuple[str, ...] | None
    prefix: str
    span: SourceSpan


def complete(source: str, offset: int) -> Completion | None:
    """The text to complete at `offset`, or None if there is nothing to offer.

    The template need not be complete: the action may be open, and so may blocks. What is behind
    the place is skipped if it does not fit.
    """
    prefix = source[:offset]
    match = _WORD.search(prefix)
    word = match[0] if match else ""
    if prefix.rfind(LEFT) <= prefix.rfind(RIGHT):
        return None
    rest_of_word = _REST.match(source, offset)
    end = rest_of_word.end() if rest_of_word else offset
    name = word.rpartition(".")[2]
    span = SourceSpan(offset - len(name), end)
    if "." not in word:
        return None if word.startswith("$") else Completion(None, word, span)
    # The more of what follows can be kept, the more is known of the blocks around the place.
    for text in _candidates(prefix, source[end:]):
        path = _path(text)
        if path is not None:
            return Completion(path, name, span)
    return None


def _candidates(before: str, behind: str) -> Iterator[str]:
    """The source with a mark at the place, mended in more and more drastic ways."""
    yield before + _MARK + behind
    yield f"{before}{_MARK} {RIGHT}{behind}"
    template = f"{before}{_MARK} {RIGHT}"
    for _ in range(_MOST_OPEN):
        yield template
        template += f"{LEFT} end {RIGHT}"


def _path(source: str) -> tuple[str, ...] | None:
    try:
        trees = parse_trees(source, TemplateLimits())
    except TemplateError:
        return None
    for input_read in analyse(trees).reads:
        if input_read.path and input_read.path[-1].endswith(_MARK):
            return input_read.path[:-1]
    return None
