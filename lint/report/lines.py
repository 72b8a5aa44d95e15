"""Lines that the formats for people share: a finding, groups of findings, the summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from click import style

from celvet.lint.model import Severity
from celvet.lint.report.layout import Layout
from celvet.lint.report.located import Located
from celvet.lint.report.report import Report
from celvet.lint.safe_text import terminal_text

COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
KeyT = TypeVar("KeyT")
MARK = "[*]"
"""What a finding that `--fix` repairs ends with."""

_PLACES = 5
"""The most places that a group names, if it does not list its findings."""


@dataclass(frozen=True, slots=True)
class Printer:
    """Prints findings for a terminal."""

    layout: Layout
    color: bool

    def paint(self, text: str, **look: object) -> str:
        """The text in a color, if there are colors."""
        return style(text, **look) if self.color else text  # type: ignore[arg-type]

    def place(self, each: Located) -> str:
        """`file:line:column`."""
        return terminal_text(f"{each.file}:{each.place.line}:{each.place.column}")

    def line(self, each: Located) -> str:
        """The finding on one line."""
        return f"{self.paint(self.place(each), bold=True)}: {self.text(each)}"

    def text(self, each: Located) -> str:
        """Severity, message and rule."""
        return " ".join([f"{self.severity(each)}:", *self.words(each)])

    def words(self, each: Located) -> list[str]:
        """The words of the message, the rule, and the mark of a fix."""
        words = terminal_text(each.finding.message).split(" ")
        mark = [self.paint(MARK, fg="green")] if is_fixable(each) else []
        return [*words, self.rule(each), *mark]

    def severity(self, each: Located) -> str:
        """The severity in its color."""
        return self.paint(str(each.severity), fg=COLORS[each.severity], bold=True)

    def rule(self, each: Located) -> str:
        """The rule in brackets; a link to its page, if the terminal can show one."""
        name, url = each.finding.rule, each.finding.url
        shown = f"\x1b]8;;{url}\x1b\\{name}\x1b]8;;\x1b\\" if self.layout.links and url else name
        return self.paint(f"[{shown}]", dim=True)

    def wrapped(self, words: Sequence[str], plain: Sequence[str], indent: str) -> Iterator[str]:
        """The words in lines that fit the terminal; `plain` are the words as they look."""
        line: list[str] = []
        columns = 0
        for word, seen in zip(words, plain, strict=True):
            if line and self.layout.width and columns + 1 + len(seen) > self.layout.width:
                yield " ".join(line)
                line, columns = [f"{indent}{word}"], len(indent) + len(seen)
            else:
                columns += len(seen) + bool(line)
                line.append(word)
        yield " ".join(line)

    def statistics(self, report: Report) -> Iterator[str]:
        """A table: how many findings of each rule, and how many of them can be fixed."""
        by_rule = groups((each, (each.severity, each.finding.rule)) for each in report.findings)
        rows = sorted(by_rule.values(), key=lambda each: (-len(each), each[0].finding.rule))
        width = max((len(str(len(each))) for each in rows), default=0)
        for found in rows:
            fixable = sum(map(is_fixable, found))
            note = f" ({fixable} fixable)" if fixable else ""
            severity = f"{self.severity(found[0])}{' ' * (7 - len(str(found[0].severity)))}"
            yield f"{len(found):>{width}}  {severity}  {self.rule(found[0])}{note}"

    def grouped(self, report: Report) -> Iterator[str]:
        """The findings under the headings that `--group-by` asks for, an empty line between."""
        for number, (title, lines) in enumerate(self._sections(report)):
            if number:
                yield ""
            yield self.paint(title, bold=True)
            yield from (f"  {line}" for line in lines)
        if report.findings:
            yield ""

    def _sections(self, report: Report) -> Iterator[tuple[str, list[str]]]:
        if self.layout.group_by == "file":
            for file, found in groups((each, each.file) for each in report.findings).items():
                at = ((f"{each.place.line}:{each.place.column}", each) for each in found)
                yield terminal_text(file), [f"{where}: {self.text(each)}" for where, each in at]
        elif self.layout.group_by == "rule":
            by_rule = groups((each, each.finding.rule) for each in report.findings)
            for rule, found in sorted(by_rule.items()):
                messages = groups((each, each.finding.message) for each in found)
                lines = [self._counted(some) for some in _largest(messages)]
                yield f"{rule} ({count(len(found), 'finding')})", lines
        else:
            by_message = groups(
                (each, (each.finding.rule, each.finding.message)) for each in report.findings
            )
            for found in _largest(by_message):
                help_ = terminal_text(found[0].finding.help)
                lines = [f"help: {help_}"] if help_ else []
                yield f"{len(found)} x {self.text(found[0])}", [*lines, self.places(found)]

    def _counted(self, found: Sequence[Located]) -> str:
        message = terminal_text(found[0].finding.message)
        mark = f" {self.paint(MARK, fg='green')}" if is_fixable(found[0]) else ""
        return f"{len(found)} x {self.severity(found[0])}: {message}{mark} ({self.places(found)})"

    def places(self, found: Sequence[Located]) -> str:
        """Where the first few findings are."""
        shown = ", ".join(map(self.place, found[:_PLACES]))
        more = len(found) - _PLACES
        return f"{shown} and {more} more" if more > 0 else shown


def groups(pairs: Iterable[tuple[Located, KeyT]]) -> dict[KeyT, list[Located]]:
    """The findings by their keys, in the order in which they come."""
    found: dict[KeyT, list[Located]] = {}
    for each, key in pairs:
        found.setdefault(key, []).append(each)
    return found


def _largest(found: Mapping[KeyT, list[Located]]) -> list[list[Located]]:
    """The groups, the worst and then the largest first."""
    return sorted(found.values(), key=lambda each: (-each[0].severity, -len(each)))


def is_fixable(each: Located) -> bool:
    """Whether `--fix` repairs it."""
    return bool(each.fix and each.fix.safe)


def summary(report: Report) -> Iterator[str]:
    """How many findings there are, and how much was checked; nothing if that is not wanted."""
    if report.layout.quiet:
        return
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
    counts = report.counts
    expressions, objects = counts.expressions, counts.objects
    yield f"checked {count(expressions, 'expression')} in {count(objects, 'object')}"
    aside = {
        "in templates of a ResourceSet whose inputs only the cluster knows": (
            counts.templated,
            "object",
        ),
        "with a `${VAR}` that has no value (see --substitute)": (counts.unresolved, "text"),
        "beyond the limits of the analysis": (counts.unanalysed, "expression"),
    }
    for reason, (number, noun) in aside.items():
        if number:
            yield f"left aside: {count(number, noun)} {reason}"
    if counts.suppressed:
        yield f"suppressed: {count(counts.suppressed, 'finding')}"
    if report.known:
        yield f"in the baseline: {count(report.known, 'finding')}"


def count(number: int, noun: str) -> str:
    """A number and its noun."""
    plural = "" if number == 1 or noun == "info" else "s"
    return f"{number} {noun}{plural}"
