"""Overviews of many findings: groups, and a table of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.report.located import Located
from celvet.lint.report.printer import KeyT, Printer, count, fewer_places, groups, is_fixable
from celvet.lint.report.report import Report
from celvet.lint.safe_text import terminal_text
from celvet.regex import regex

_NAMED = regex(r"`[^`]*`|\b\d[\dhms]*\b")
"""What a message quotes, a number and a duration."""


def overview(report: Report, printer: Printer) -> list[str] | None:
    """The lines in place of the findings; None if no overview is wanted."""
    if report.layout.statistics:
        return list(statistics(report, printer))
    if report.layout.group_by:
        return list(_grouped(report, printer))
    return None


def statistics(report: Report, printer: Printer) -> Iterator[str]:
    """A table: the number of findings of each rule, and of those that can be fixed."""
    by_rule = groups(
        (finding, (finding.severity, finding.finding.rule)) for finding in report.findings
    )
    rows = sorted(by_rule.values(), key=lambda findings: (-len(findings), findings[0].finding.rule))
    width = max((len(str(len(row))) for row in rows), default=0)
    for row in rows:
        fixable = sum(map(is_fixable, row))
        note = f" ({fixable} fixable)" if fixable else ""
        severity = f"{printer.severity(row[0])}{' ' * (7 - len(str(row[0].severity)))}"
        yield f"{len(row):>{width}}  {severity}  {printer.rule(row[0])}{note}"


def by_message(report: Report) -> list[list[Located]]:
    """Groups of a rule's findings with the same message, most severe first, then the largest."""
    keys = (
        (finding, (finding.finding.rule, finding.finding.message)) for finding in report.findings
    )
    return _largest(groups(keys))


def _grouped(report: Report, printer: Printer) -> Iterator[str]:
    """The findings under headings, with an empty line after each group of several messages."""
    behind = [] if report.layout.group_by == "message" else [""]
    for title, lines in _sections(report, printer):
        yield from printer.wrapped(printer.paint(title, bold=True), "  ")
        for versions in lines:
            yield from printer.shortest((f"  {version}" for version in versions), "    ")
        yield from behind


def _sections(report: Report, printer: Printer) -> Iterator[tuple[str, list[list[str]]]]:
    """The headings with their lines, each line in versions for different widths of the terminal."""
    match report.layout.group_by:
        case "file":
            for file, findings in groups(
                (finding, finding.file) for finding in report.findings
            ).items():
                at = (
                    (f"{finding.place.line}:{finding.place.column}", finding)
                    for finding in findings
                )
                lines = [[f"{where}: {printer.text(finding)}"] for where, finding in at]
                yield terminal_text(file), lines
        case "rule":
            by_rule = groups((finding, finding.finding.rule) for finding in report.findings)
            for rule, findings in sorted(by_rule.items()):
                alike = groups((finding, _shape(finding.finding.message)) for finding in findings)
                lines = [_counted(group, printer) for group in _largest(alike)]
                yield f"{rule} ({count(len(findings), 'finding')})", lines
        case _:
            for findings in by_message(report):
                help_ = terminal_text(findings[0].finding.help)
                advice = [[f"help: {help_}"]] if help_ else []
                title = f"{len(findings)} x {printer.text(findings[0])}"
                yield title, [*advice, fewer_places(findings)]


def _shape(message: str) -> tuple[str, ...]:
    """A message without its names and durations."""
    return tuple(_NAMED.split(message))


def _shared(messages: Sequence[str]) -> str:
    """The common message of findings of one shape, with dots for the different names."""
    quotations = zip(*map(_NAMED.findall, messages), strict=True)
    common = iter(
        [variants[0] if len({*variants}) == 1 else _dots(variants[0]) for variants in quotations]
    )
    return _NAMED.sub(lambda _: next(common), messages[0])


def _dots(quotation: str) -> str:
    return "`...`" if quotation.startswith("`") else "..."


def _counted(findings: Sequence[Located], printer: Printer) -> list[str]:
    first_finding = findings[0]
    message = terminal_text(_shared([finding.finding.message for finding in findings]))
    severity, mark = printer.severity(first_finding), printer.mark(first_finding)
    text = f"{len(findings)} x {severity}: {message}{mark}"
    return [f"{text} ({places})" for places in fewer_places(findings)]


def _largest(groups_by_key: Mapping[KeyT, list[Located]]) -> list[list[Located]]:
    """The groups, most severe first, then the largest."""
    return sorted(groups_by_key.values(), key=lambda group: (-group[0].severity, -len(group)))
