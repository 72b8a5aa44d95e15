"""Lines that the formats for people have in common: a finding, its places, the summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from celvet.lint.model import Severity
from celvet.lint.report.layout import Layout
from celvet.lint.report.located import LocatedFinding
from celvet.lint.report.report import Report
from celvet.lint.rule_ids import DEPENDENCY_UNWAITED, MISSING_ENTRY
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

    def line(self, finding: LocatedFinding) -> str:
        """The finding on one line."""
        return f"{self.paint(place(finding), bold=True)}: {self.text(finding)}"

    def text(self, finding: LocatedFinding) -> str:
        """Severity, message and rule, and the mark of a fix."""
        message = terminal_text(finding.finding.message)
        return f"{self.severity(finding)}: {message} {self.rule(finding)}{self.mark(finding)}"

    def mark(self, finding: LocatedFinding) -> str:
        """The mark of a fix, after a space; empty without one."""
        return f" {self.paint(MARK, fg='green')}" if is_fixable(finding) else ""

    def severity(self, finding: LocatedFinding) -> str:
        """The severity in its color."""
        return self.paint(str(finding.severity), fg=COLORS[finding.severity], bold=True)

    def rule(self, finding: LocatedFinding) -> str:
        """The rule in brackets; a link to its page, if the terminal can show one."""
        name, url = finding.finding.rule, finding.finding.url
        label = f"\x1b]8;;{url}\x1b\\{name}\x1b]8;;\x1b\\" if self.layout.links and url else name
        return self.paint(f"[{label}]", dim=True)

    def wrap(self, text: str, indent: str) -> Iterator[str]:
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

    def shortest_version(self, versions: Iterable[str], indent: str) -> Sequence[str]:
        """The version that takes the fewest lines, wrapped; the first of several."""
        return min(([*self.wrap(version, indent)] for version in versions), key=len)


def place(finding: LocatedFinding) -> str:
    """Where a finding is: `file:line:column`, both counted from 1."""
    return terminal_text(f"{finding.file}:{finding.place.line}:{finding.place.column}")


def places(findings: Sequence[LocatedFinding], most: int = _PLACES) -> str:
    """The places of the first few findings."""
    first_places = ", ".join(map(place, findings[:most]))
    more = len(findings) - most
    return f"{first_places} and {more} more" if more > 0 else first_places


def fewer_places(findings: Sequence[LocatedFinding]) -> list[str]:
    """The places of the first few findings, and of fewer and fewer for narrow terminals."""
    return [places(findings, most) for most in range(_PLACES, 0, -1)]


def groups(pairs: Iterable[tuple[LocatedFinding, KeyT]]) -> dict[KeyT, list[LocatedFinding]]:
    """The findings by their keys, in the order in which they come."""
    findings_by_key: dict[KeyT, list[LocatedFinding]] = {}
    for finding, key in pairs:
        findings_by_key.setdefault(key, []).append(finding)
    return findings_by_key


def is_fixable(finding: LocatedFinding) -> bool:
    """Whether `--fix` repairs it."""
    return bool(finding.fix and finding.fix.safe)


def summary(report: Report) -> Iterator[str]:
    """The number of findings, and how much was checked.

    Nothing if the report is `quiet`, or if no file could be read, of which an error tells.
    """
    if not report.layout.quiet and (report.files or not report.unread):
        yield from _finding_counts(report)
        yield from _checked_counts(report)
        yield from _omissions(report)
        yield from _next_commands(report)


def _finding_counts(report: Report) -> Iterator[str]:
    """The number of findings by severity, and of those that `--fix` repairs."""
    tally = ", ".join(count(number, name) for name, number in report.tally().items() if number)
    files = count(report.files, "file")
    if tally:
        places = len({finding.file for finding in report.findings})
        yield f"{tally} in {places} of {files}"
    else:
        yield f"nothing to report in {files}"
    safe = sum(map(is_fixable, report.findings))
    unsafe = sum(bool(finding.fix) for finding in report.findings) - safe
    if safe:
        more = f", {unsafe} more with --fix=unsafe" if unsafe else ""
        yield f"{MARK} {safe} fixable with --fix{more}"
    elif unsafe:
        yield f"{unsafe} fixable with --fix=unsafe"


def _checked_counts(report: Report) -> Iterator[str]:
    counts = report.counts
    expressions, objects = counts.expressions, counts.objects
    yield f"checked {count(expressions, 'expression')} in {count(objects, 'object')}"
    if counts.partly:
        reason = "in templates of a ResourceSet whose inputs only the cluster knows"
        yield f"partly checked: {count(counts.partly, 'object')} {reason}"
    yield from _unchecked_kinds(report.unchecked_kinds)


def _omissions(report: Report) -> Iterator[str]:
    """The summary's notes: what was not checked or not reported, and why."""
    counts = report.counts
    omissions = {
        "that must be rendered first (see helm-template)": (report.unrendered, "template"),
        "in templates of a ResourceSet that cannot be built without the cluster": (
            counts.templated,
            "object",
        ),
        "with a `${VAR}` that has no value (see --substitute)": (counts.unresolved, "string"),
        "beyond the limits of the analysis": (counts.unanalysed, "expression"),
        "in a language that celvet does not read": (counts.unread, "script"),
    }
    for reason, (number, noun) in omissions.items():
        if number:
            yield f"not checked: {count(number, noun)} {reason}"
    if counts.unsure:
        yield "not known outside of a git repository: all that is applied, and who depends on it"
    if counts.suppressed:
        yield f"suppressed: {count(counts.suppressed, 'finding')}"
    if report.known_count:
        yield f"in the baseline: {count(report.known_count, 'finding')}"


def _next_commands(report: Report) -> Iterator[str]:
    """What is in a repository that has no expression yet, and what to do with it."""
    counts = report.counts
    hidden = counts.suppressed or report.known_count or report.crashes or report.unread
    is_file = report.findings and report.files == 1
    if not counts.objects or counts.expressions or hidden or is_file:
        return
    messages_by_rule: dict[str, set[str]] = {}
    for finding in report.findings:
        messages_by_rule.setdefault(finding.finding.rule, set()).add(finding.finding.message)
    several = f"of the {counts.appliers} objects that apply others"
    subject = f"each {several if counts.appliers > 1 else 'object'}"
    yield f"no health check expressions; what {subject} waits for: `celvet graph .`"
    if number := len(messages_by_rule.get(DEPENDENCY_UNWAITED, ())):
        yield f"objects that wait for nothing though others depend on them: {number}"
    # the message names the kind
    kinds = len(messages_by_rule.get(MISSING_ENTRY, ()))
    kind_words = f"{count(kinds, 'kind')} that" if kinds else "which kinds"
    yield f"{kind_words} Flux misjudges without one: `celvet suggest --missing .`"


def _unchecked_kinds(kinds: Sequence[str]) -> Iterator[str]:
    """The first of the kinds whose fields were not compared with a CRD."""
    if kinds:
        more_kinds = len(kinds) - _PLACES
        more = f" and {count(more_kinds, 'other')}" if more_kinds > 0 else ""
        first_kinds = terminal_text(", ".join(kinds[:_PLACES]))
        yield f"fields not checked for lack of a CRD (see --crds): {first_kinds}{more}"


def count(number: int, noun: str) -> str:
    """A number and its noun."""
    plural = "" if number == 1 or noun == "info" else "s"
    return f"{number} {noun}{plural}"
