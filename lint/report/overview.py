"""Overviews of many findings: groups, and a table of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.report.located import LocatedFinding
from celvet.lint.report.printer import KeyT, Printer, count, fewer_places, groups, is_fixable
from celvet.lint.report.report import Report
from celvet.lint.safe_text import terminal_text
from celvet.regex import regex

_NAMES = regex(r"`[^`]*`|\b\d[\dhms]*\b")
"""What a message quotes, a number and a duration."""


def overview(report: Report, printer: Printer) -> list[str] | None:
    """The lines in place of the findings; None if no overview is wanted."""
    if report.layout.statistics:
        return list(statistics(report, printer))
    if report.layout.group_by:
        return list(_group_lines(report, printer))
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


def by_message(report: Report) -> list[list[LocatedFinding]]:
    """Groups of a rule's findings with the same message, most severe first, then the largest."""
    keys = (
        (finding, (finding.finding.rule, finding.finding.message)) for finding in report.findings
    )
    return _largest(groups(keys))


def _group_lines(report: Report, printer: Printer) -> Iterator[str]:
    """The findings under headings, with an empty line after each group of several messages."""
    trailer = [] if report.layout.group_by == "message" else [""]
    for title, lines in _sections(report, printer):
        yield from printer.wrap(printer.paint(title, bold=True), "  ")
        for versions in lines:
            yield from printer.shortest_version((f"  {version}" for version in versions), "    ")
        yield from trailer


def _sections(report: Report, printer: Printer) -> Iterator[tuple[str, list[list[str]]]]:
    """The headings with their lines, each line in versions for different widths of the terminal."""
    match report.layout.group_by:
        case "file":
            by_file = groups((finding, finding.file) for finding in report.findings)
            for file, findings in by_file.items():
                places = [f"{finding.place.line}:{finding.place.column}" for finding in findings]
                texts = map(printer.text, findings)
                yield (
                    terminal_text(file),
                    [[f"{place}: {text}"] for place, text in zip(places, texts, strict=True)],
                )
        case "rule":
            by_rule = groups((finding, finding.finding.rule) for finding in report.findings)
            for rule, findings in sorted(by_rule.items()):
                alike = groups((finding, _shape(finding.finding.message)) for finding in findings)
                lines = [_count_versions(group, printer) for group in _largest(alike)]
                yield f"{rule} ({count(len(findings), 'finding')})", lines
        case _:
            for findings in by_message(report):
                text = terminal_text(findings[0].finding.help)
                advice = [[f"help: {text}"]] if text else []
                title = f"{len(findings)} x {printer.text(findings[0])}"
                yield title, [*advice, fewer_places(findings)]


def _shape(message: str) -> tuple[str, ...]:
    """A message without its names and durations."""
    return tuple(_NAMES.split(message))


def _shared_message(messages: Sequence[str]) -> str:
    """The common message of findings of one shape, with dots for the different names."""
    quotations = zip(*map(_NAMES.findall, messages), strict=True)
    common = iter(
        [variants[0] if len({*variants}) == 1 else _dots(variants[0]) for variants in quotations]
    )
    return _NAMES.sub(lambda _: next(common), messages[0])


def _dots(quotation: str) -> str:
    return "`...`" if quotation.startswith("`") else "..."


def _count_versions(findings: Sequence[LocatedFinding], printer: Printer) -> list[str]:
    first_finding = findings[0]
    message = terminal_text(_shared_message([finding.finding.message for finding in findings]))
    severity, mark = printer.severity(first_finding), printer.mark(first_finding)
    text = f"{len(findings)} x {severity}: {message}{mark}"
    return [f"{text} ({places})" for places in fewer_places(findings)]


def _largest(groups_by_key: Mapping[KeyT, list[LocatedFinding]]) -> list[list[LocatedFinding]]:
    """The groups, most severe first, then the largest."""
    return sorted(groups_by_key.values(), key=lambda group: (-group[0].severity, -len(group)))
