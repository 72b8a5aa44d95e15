"""Items of a list, ready to paste below `healthCheckExprs`, with their reasons as comments."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from celvet.lint.list_item import WIDTH, item
from celvet.lint.safe_text import terminal_text
from celvet.lint.suggest.suggestion import Suggestion, Suggestions

_MOST_PLACES = 5


def render(report: Suggestions, color: bool) -> str:
    """All suggestions, one below the other."""
    return "\n".join("".join(f"{line}\n" for line in _lines(each)) for each in report.found)


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
        WIDTH,
        initial_indent=f"# {mark}",
        subsequent_indent=f"# {rest}",
        break_long_words=False,
        break_on_hyphens=False,
    )
