"""Overviews of many findings: groups, and a table of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.report.lines import KeyT, Printer, count, fewer_places, groups, is_fixable
from celvet.lint.report.located import Located
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
    by_rule = groups((each, (each.severity, each.finding.rule)) for each in report.findings)
    rows = sorted(by_rule.values(), key=lambda each: (-len(each), each[0].finding.rule))
    width = max((len(str(len(each))) for each in rows), default=0)
    for found in rows:
        fixable = sum(map(is_fixable, found))
        note = f" ({fixable} fixable)" if fixable else ""
        severity = f"{printer.severity(found[0])}{' ' * (7 - len(str(found[0].severity)))}"
        yield f"{len(found):>{width}}  {severity}  {printer.rule(found[0])}{note}"


def by_message(report: Report) -> list[list[Located]]:
    """Groups of a rule's findings with the same message, most severe first, then the largest."""
    keys = ((each, (each.finding.rule, each.finding.message)) for each in report.findings)
    return _largest(groups(keys))


def _grouped(report: Report, printer: Printer) -> Iterator[str]:
    """The findings under headings, with an empty line after each group of several messages."""
    behind = [] if report.layout.group_by == "message" else [""]
    for title, lines in _sections(report, printer):
        yield from printer.wrapped(printer.paint(title, bold=True), "  ")
        for versions in lines:
            yield from printer.shortest((f"  {each}" for each in versions), "    ")
        yield from behind


def _sections(report: Report, printer: Printer) -> Iterator[tuple[str, list[list[str]]]]:
    """The headings with their lines, each line in versions for different widths of the terminal."""
    match report.layout.group_by:
        case "file":
            for file, found in groups((each, each.file) for each in report.findings).items():
                at = ((f"{each.place.line}:{each.place.column}", each) for each in found)
                lines = [[f"{where}: {printer.text(each)}"] for where, each in at]
                yield terminal_text(file), lines
        case "rule":
            by_rule = groups((each, each.finding.rule) for each in report.findings)
            for rule, found in sorted(by_rule.items()):
                alike = groups((each, _shape(each.finding.message)) for each in found)
                lines = [_counted(some, printer) for some in _largest(alike)]
                yield f"{rule} ({count(len(found), 'finding')})", lines
        case _:
            for found in by_message(report):
                help_ = terminal_text(found[0].finding.help)
                advice = [[f"help: {help_}"]] if help_ else []
                title = f"{len(found)} x {printer.text(found[0])}"
                yield title, [*advice, fewer_places(found)]


def _shape(message: str) -> tuple[str, ...]:
    """A message without its names and durations."""
    return tuple(_NAMED.split(message))


def _shared(messages: Sequence[str]) -> str:
    """The common message of findings of one shape, with dots for the different names."""
    named = zip(*map(_NAMED.findall, messages), strict=True)
    common = iter([each[0] if len({*each}) == 1 else _dots(each[0]) for each in named])
    return _NAMED.sub(lambda _: next(common), messages[0])


def _dots(named: str) -> str:
    return "`...`" if named.startswith("`") else "..."


def _counted(found: Sequence[Located], printer: Printer) -> list[str]:
    first = found[0]
    message = terminal_text(_shared([each.finding.message for each in found]))
    text = f"{len(found)} x {printer.severity(first)}: {message}{printer.mark(first)}"
    return [f"{text} ({each})" for each in fewer_places(found)]


def _largest(found: Mapping[KeyT, list[Located]]) -> list[list[Located]]:
    """The groups, most severe first, then the largest."""
    return sorted(found.values(), key=lambda each: (-each[0].severity, -len(each)))
