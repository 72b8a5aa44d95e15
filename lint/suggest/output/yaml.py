"""Items of a list, ready to paste below `healthCheckExprs`, with their reasons as comments."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.safe_text import terminal_text, yaml_text
from celvet.lint.suggest.suggestion import Suggestion
from celvet.regex import regex

_WIDTH = 100
_MOST_PLACES = 5
_UNBROKEN = 1_000_000
_QUOTED = regex(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*["]""")
_KEPT = "\0"
"""Stands for a blank where a line is not to break: within the quotes of an expression."""


def render(report: Sequence[Suggestion], color: bool) -> str:
    """All suggestions, one below the other."""
    return "\n".join("".join(f"{line}\n" for line in _lines(each)) for each in report)


def item(fields: Mapping[str, str]) -> Iterator[str]:
    """The lines of an entry as an item of a list."""
    for number, (key, text) in enumerate(fields.items()):
        yield from _field(f"{'  ' if number else '- '}{key}:", text)


def _lines(found: Suggestion) -> Iterator[str]:
    yield from _reasons(found)
    if found.entry:
        yield from item(found.fields)
    for name, each in found.variants.items():
        if name != found.variant:
            yield from _comment(f"--variant {name}: {each.why}")
    if found.evidence:
        places = dict.fromkeys(each.path for each in found.evidence)
        yield from _comment(f"Read in {', '.join(places)}.")


def _reasons(found: Suggestion) -> Iterator[str]:
    """The comments above an entry: who waits for the kind, open questions, reasons."""
    yield from _comment(f"{found.kind}, {found.basis}")
    if found.waited:
        shown, more = found.waited[:_MOST_PLACES], len(found.waited) - _MOST_PLACES
        rest = f", and {more} more" if more > 0 else ""
        yield from _comment(f"Waited for by {', '.join(shown)}{rest}.")
    if found.questions:
        yield from _comment("UNPROVEN. Answer this first:")
        for question in found.questions:
            yield from _comment(question, "- ")
    for reason in found.reasons:
        yield from _comment(reason)


def _comment(text: str, mark: str = "") -> list[str]:
    line = terminal_text(" ".join(text.split()))
    rest = " " * len(mark)
    return textwrap.wrap(
        line,
        _WIDTH,
        initial_indent=f"# {mark}",
        subsequent_indent=f"# {rest}",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _field(key: str, text: str) -> Iterator[str]:
    """A key with its text: on one line if that is short, else folded where blanks are."""
    plain = yaml_text(text, width=_UNBROKEN, allow_unicode=True).removesuffix("...\n").rstrip("\n")
    folded = _folded(text)
    if len(key) + len(plain) < _WIDTH or not folded:
        yield f"{key} {plain}"
    else:
        yield f"{key} >-"
        yield from (f"    {line}" for line in folded)


def _folded(text: str) -> list[str]:
    """The lines of a folded block; none if folding would change the text."""
    line = _QUOTED.sub(lambda quoted: quoted[0].replace(" ", _KEPT), text)
    wrapped = textwrap.wrap(line, _WIDTH - 4, break_long_words=False, break_on_hyphens=False)
    lines = [each.replace(_KEPT, " ") for each in wrapped]
    return lines if " ".join(lines) == text and text.isprintable() else []
