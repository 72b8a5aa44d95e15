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
    return "\n".join(
        "".join(f"{line}\n" for line in _lines(suggestion)) for suggestion in report.suggestions
    )


def _lines(suggestion: Suggestion) -> Iterator[str]:
    yield from _reasons(suggestion)
    if suggestion.entry:
        yield from item(suggestion.fields)
    for name, alternative in suggestion.variants.items():
        if name != suggestion.variant:
            yield from _comment(f"--variant {name}: {alternative.why}")
    if suggestion.evidence:
        places = dict.fromkeys(evidence.path for evidence in suggestion.evidence)
        yield from _comment(f"Read in {', '.join(places)}.")


def _reasons(suggestion: Suggestion) -> Iterator[str]:
    """The comments above an entry: who waits for the kind, open questions, reasons."""
    yield from _comment(f"{suggestion.kind}, {suggestion.basis}")
    if suggestion.waiters:
        waiters, more = suggestion.waiters[:_MOST_PLACES], len(suggestion.waiters) - _MOST_PLACES
        remainder = f", and {more} more" if more > 0 else ""
        yield from _comment(f"Waited for by {', '.join(waiters)}{remainder}.")
    if suggestion.questions:
        yield from _comment("UNPROVEN. Answer this first:")
        for question in suggestion.questions:
            yield from _comment(question, "- ")
    for reason in suggestion.reasons:
        yield from _comment(reason)


def _comment(text: str, mark: str = "") -> list[str]:
    line = terminal_text(" ".join(text.split()))
    indent = " " * len(mark)
    return textwrap.wrap(
        line,
        WIDTH,
        initial_indent=f"# {mark}",
        subsequent_indent=f"# {indent}",
        break_long_words=False,
        break_on_hyphens=False,
    )
