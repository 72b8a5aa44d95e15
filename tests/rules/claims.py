"""What the message of a finding claims, and whether the states that `explain` shows refute it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from celvet.lint.explain.page import VERDICT, WAITING, Line, Page
from celvet.lint.model import Finding
from celvet.lint.verdicts.verdict import IGNORED

_ROLE = r"`(?P<role>\w+)`"
_NEVER = re.compile(rf"{_ROLE} is never true")
_ALWAYS = re.compile(rf"{_ROLE} is always true")
_WHENEVER = re.compile(
    rf"{_ROLE} (?P<result>is true|gives an error) whenever `(?P<other>\w+)` is"
    r"(?P<negated> not| true and `(?P<unless>\w+)` is not)?"
)
_OF_ONE = re.compile(rf"{_ROLE} (?P<result>is true|is not true|gives an error) (?!whenever)")
_VERDICTS: Mapping[str, Collection[str]] = {
    "counts as ready": {"Current", "Ready", "True"},
    "can fail": {"Failed"},
    "fails the reconciliation": {"Failed"},
    "so an object fails": {"Failed"},
    "its controller retries": {"Current", "Failed", "Ready"},
    "waits until the timeout": WAITING,
    "only the timeout": WAITING,
    "the wait fails at the timeout": WAITING,
    "never becomes ready": WAITING,
}
"""The verdicts on the counterexample of a finding, by words of its message or of a note."""

_NO_VERDICTS: Mapping[str, str] = {
    "no object ever becomes ready": "Current",
    "so no object becomes ready": "Current",
    "is reported only at the timeout": "Failed",
}
"""A verdict that no object has, by words of a message."""


def refuted_claims(page: Page) -> Iterator[str]:
    """Each claim about a check that an object on its page refutes, with the state."""
    lines = [*page.life, *page.lines]
    for finding in page.notes:
        for line in lines:
            if _refutes(line, finding.message):
                yield f"{line.state} ({line.cells}) refutes: {finding.message}"
        yield from _about_counterexample(finding, lines)


def _refutes(line: Line, message: str) -> bool:
    """Whether a state refutes what a message says of all objects."""
    cells, verdict = line.cells, line.cells[VERDICT].partition(",")[0]
    if any(words in message and verdict == never for words, never in _NO_VERDICTS.items()):
        return True
    if (match := _NEVER.search(message)) and cells.get(match["role"]) == "true":
        return True
    if (match := _ALWAYS.search(message)) and cells.get(match["role"]) != "true":
        return True
    match = _WHENEVER.search(message)
    if match is None or match["other"] not in cells:
        return False
    wanted = "false" if match["negated"] == " not" else "true"
    applies = cells[match["other"]] == wanted and cells.get(match["unless"]) != "true"
    result = "true" if match["result"] == "is true" else "error"
    return applies and cells[match["role"]] != result


def _about_counterexample(finding: Finding, lines: list[Line]) -> Iterator[str]:
    """What the counterexample of a finding refutes, by its row on the page."""
    message, counterexample = finding.message, finding.counterexample
    if counterexample is None:
        return
    # The examples of a check with paths have other names.
    matches = (line for line in lines if line.state == counterexample.state)
    line = next(matches, None)
    cells = line.cells if line else {VERDICT: counterexample.verdict}
    verdict = cells[VERDICT].partition(",")[0]
    for text in (message, *(note.message for note in finding.related)):
        for words, verdicts in _VERDICTS.items():
            is_claimed = words in text and f"never {words}" not in text
            if is_claimed and verdict not in {*verdicts, IGNORED}:
                yield f"{counterexample.state} is {verdict}: {text}"
    match = _OF_ONE.search(message)
    results = {"is true": "true", "is not true": "false", "gives an error": "error"}
    if match and cells.get(match["role"], results[match["result"]]) != results[match["result"]]:
        yield f"{counterexample.state} ({cells}) is no example: {message}"
