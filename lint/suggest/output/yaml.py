"""Items of a list, ready to paste below `healthCheckExprs`, with their reasons as comments."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.list_item import WIDTH, item
from celvet.lint.safe_text import terminal_text
from celvet.lint.suggest.suggestion import Snippet, Suggestion, Suggestions
from celvet.regex import regex

_SENTENCE_END = regex(r"(?<=[.?])\s+(?=[A-Z`])")


def render(report: Suggestions, color: bool) -> str:
    """All suggestions, one below the other, or below each object that waits for the kinds.

    Of the reasons, only the first sentence of the most important one, unless all are wanted.
    """
    return "\n".join("".join(f"{line}\n" for line in block) for block in _blocks(report))


def _blocks(report: Suggestions) -> Iterator[list[str]]:
    for place, suggestions in _by_waiter(report).items():
        for number, suggestion in enumerate(suggestions):
            heading = _comment(place) if place and not number else []
            yield [*heading, *_lines(suggestion, every_reason=report.reasons)]


def _by_waiter(report: Suggestions) -> Mapping[str, Sequence[Suggestion]]:
    """Who waits -> the suggestions for what it waits for, the most harmful first."""
    suggestions: dict[str, list[Suggestion]] = {}
    for suggestion in report.suggestions:
        for place in suggestion.waiters or ("",):
            suggestions.setdefault(place, []).append(suggestion)
    return suggestions


def _lines(suggestion: Suggestion, *, every_reason: bool) -> Iterator[str]:
    yield from _comment(f"{suggestion.title}, {suggestion.basis}")
    yield from _questions(suggestion)
    if suggestion.snippet:
        yield from _snippet(suggestion.snippet)
        return
    reasons = suggestion.reasons if every_reason else _main_reason(suggestion)
    for reason in reasons:
        yield from _comment(reason)
    if suggestion.entry:
        yield from item(suggestion.fields)
    other_names = [name for name in suggestion.variants if name != suggestion.variant]
    if not every_reason:
        options = [f"--variant {name}" for name in other_names]
        options += ["--reasons"] if len(suggestion.reasons) > 1 else []
        yield from _comment(f"More: {', '.join(options)}.") if options else ()
        return
    for name in other_names:
        yield from _comment(f"--variant {name}: {suggestion.variants[name].why}")
    if suggestion.evidence:
        places = dict.fromkeys(evidence.path for evidence in suggestion.evidence)
        yield from _comment(f"Read in {', '.join(places)}.")


def _snippet(snippet: Snippet) -> Iterator[str]:
    """What to write for another system, below what it does not say."""
    if snippet.needless:
        yield from _comment(f"Nothing is needed: {snippet.mirrors} judges the kind correctly.")
    elif snippet.text:
        yield from _comment(f"For {snippet.place} ({snippet.mirrors}).")
    for sentence in (*snippet.unsaid, *snippet.notes):
        yield from _comment(sentence)
    yield from snippet.text.splitlines()


def _main_reason(suggestion: Suggestion) -> list[str]:
    """Why the kind needs an entry if somebody lacks it, else why the entry is as it is."""
    reasons = suggestion.reasons
    if suggestion.need:
        return [suggestion.need]
    return [_SENTENCE_END.split(reason, maxsplit=1)[0] for reason in reasons[:1]]


def _questions(suggestion: Suggestion) -> Iterator[str]:
    """What must be answered before the entry is used."""
    if suggestion.questions:
        yield from _comment("UNPROVEN. Answer this first:")
        for question in suggestion.questions:
            yield from _comment(question, "- ")


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
