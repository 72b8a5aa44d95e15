"""Lines that the formats for people have in common: a finding, its places, the summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from celvet.lint.model import Severity
from celvet.lint.report.layout import Layout
from celvet.lint.report.located import Located
from celvet.lint.report.report import Report
from celvet.lint.safe_text import terminal_text
from celvet.record import record
from celvet.regex import regex

COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
KeyT = TypeVar("KeyT")
MARK = "[*]"
"""The suffix of a finding that `--fix` repairs."""

_PLACES = 3
"""The most places that a group names, if it does not list its findings, and of kinds in a row."""

_INVISIBLE = regex(r"\x1b\[[\d;]*m|\x1b\]8;;.*?\x1b\\")
"""Colors and the ends of links. Nothing else has an escape character: see `terminal_text`."""


@record
class Printer:
    """Prints findings for a terminal."""

    layout: Layout
    color: bool

    def paint(self, text: str, **look: object) -> str:
        """The text in a color, if there are colors."""
        if not self.color:
            return text
        from click import style  # a run in CI has no colors

        return style(text, **look)  # type: ignore[arg-type]

    def line(self, each: Located) -> str:
        """The finding on one line."""
        return f"{self.paint(place(each), bold=True)}: {self.text(each)}"

    def text(self, each: Located) -> str:
        """Severity, message and rule, and the mark of a fix."""
        message = terminal_text(each.finding.message)
        return f"{self.severity(each)}: {message} {self.rule(each)}{self.mark(each)}"

    def mark(self, each: Located) -> str:
        """The mark of a fix, after a space; empty without one."""
        return f" {self.paint(MARK, fg='green')}" if is_fixable(each) else ""

    def severity(self, each: Located) -> str:
        """The severity in its color."""
        return self.paint(str(each.severity), fg=COLORS[each.severity], bold=True)

    def rule(self, each: Located) -> str:
        """The rule in brackets; a link to its page, if the terminal can show one."""
        name, url = each.finding.rule, each.finding.url
        shown = f"\x1b]8;;{url}\x1b\\{name}\x1b]8;;\x1b\\" if self.layout.links and url else name
        return self.paint(f"[{shown}]", dim=True)

    def wrapped(self, text: str, indent: str) -> Iterator[str]:
        """The text in lines that fit the terminal, all except the first indented."""
        line, columns = "", 0
        for number, word in enumerate(text.split(" ")):
            length = len(_INVISIBLE.sub("", word))
            if number and self.layout.width and columns + 1 + length > self.layout.width:
                yield line
                line, columns = f"{indent}{word}", len(indent) + length
            else:
                line, columns = (
                    (f"{line} {word}", columns + 1 + length) if number else (word, length)
                )
        yield line

    def shortest(self, versions: Iterable[str], indent: str) -> Sequence[str]:
        """The version that takes the fewest lines, wrapped; the first of several."""
        return min(([*self.wrapped(each, indent)] for each in versions), key=len)


def place(each: Located) -> str:
    """`file:line:column`."""
    return terminal_text(f"{each.file}:{each.place.line}:{each.place.column}")


def places(found: Sequence[Located], most: int = _PLACES) -> str:
    """The places of the first few findings."""
    shown = ", ".join(map(place, found[:most]))
    more = len(found) - most
    return f"{shown} and {more} more" if more > 0 else shown


def fewer_places(found: Sequence[Located]) -> list[str]:
    """The places of the first few findings, and of fewer and fewer for narrow terminals."""
    return [places(found, most) for most in range(_PLACES, 0, -1)]


def groups(pairs: Iterable[tuple[Located, KeyT]]) -> dict[KeyT, list[Located]]:
    """The findings by their keys, in the order in which they come."""
    found: dict[KeyT, list[Located]] = {}
    for each, key in pairs:
        found.setdefault(key, []).append(each)
    return found


def is_fixable(each: Located) -> bool:
    """Whether `--fix` repairs it."""
    return bool(each.fix and each.fix.safe)


def summary(report: Report) -> Iterator[str]:
    """The number of findings, and how much was checked; nothing if the report is `quiet`."""
    if not report.layout.quiet:
        yield from _reported(report)
        yield from _checked(report)
        yield from _left_out(report)


def _reported(report: Report) -> Iterator[str]:
    """The number of findings by severity, and of those that `--fix` repairs."""
    tally = ", ".join(count(number, name) for name, number in report.tally().items() if number)
    files = count(report.files, "file")
    if tally:
        places = len({each.file for each in report.findings})
        yield f"{tally} in {places} of {files}"
    else:
        yield f"nothing to report in {files}"
    safe = sum(map(is_fixable, report.findings))
    unsafe = sum(bool(each.fix) for each in report.findings) - safe
    if safe:
        more = f", {unsafe} more with --fix=unsafe" if unsafe else ""
        yield f"{MARK} {safe} fixable with --fix{more}"
    elif unsafe:
        yield f"{unsafe} fixable with --fix=unsafe"


def _checked(report: Report) -> Iterator[str]:
    counts = report.counts
    expressions, objects = counts.expressions, counts.objects
    yield f"checked {count(expressions, 'expression')} in {count(objects, 'object')}"
    if counts.partly:
        built = "in templates of a ResourceSet whose inputs only the cluster knows"
        yield f"partly checked: {count(counts.partly, 'object')} {built}"
    yield from _unchecked(report.unchecked)


def _left_out(report: Report) -> Iterator[str]:
    """The summary's notes: what was not checked or not reported, and why."""
    counts = report.counts
    aside = {
        "in templates of a ResourceSet that cannot be built without the cluster": (
            counts.templated,
            "object",
        ),
        "with a `${VAR}` that has no value (see --substitute)": (counts.unresolved, "string"),
        "beyond the limits of the analysis": (counts.unanalysed, "expression"),
    }
    for reason, (number, noun) in aside.items():
        if number:
            yield f"not checked: {count(number, noun)} {reason}"
    if counts.suppressed:
        yield f"suppressed: {count(counts.suppressed, 'finding')}"
    if report.known:
        yield f"in the baseline: {count(report.known, 'finding')}"


def _unchecked(kinds: Sequence[str]) -> Iterator[str]:
    """The first of the kinds whose fields were not compared with a CRD."""
    if kinds:
        rest = len(kinds) - _PLACES
        more = f" and {count(rest, 'other')}" if rest > 0 else ""
        named = terminal_text(", ".join(kinds[:_PLACES]))
        yield f"fields not checked for lack of a CRD (see --crds): {named}{more}"


def count(number: int, noun: str) -> str:
    """A number and its noun."""
    plural = "" if number == 1 or noun == "info" else "s"
    return f"{number} {noun}{plural}"
