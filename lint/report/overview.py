"""What gives an overview of many findings: groups of them, and a table of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.report.lines import KeyT, Printer, count, groups, is_fixable, places
from celvet.lint.report.located import Located
from celvet.lint.report.report import Report
from celvet.lint.safe_text import terminal_text


def overview(report: Report, printer: Printer) -> list[str] | None:
    """The lines that take the place of the findings; None if the user asks for no overview."""
    if report.layout.statistics:
        return list(statistics(report, printer))
    if report.layout.group_by:
        return list(_grouped(report, printer))
    return None


def statistics(report: Report, printer: Printer) -> Iterator[str]:
    """A table: how many findings of each rule, and how many of them can be fixed."""
    by_rule = groups((each, (each.severity, each.finding.rule)) for each in report.findings)
    rows = sorted(by_rule.values(), key=lambda each: (-len(each), each[0].finding.rule))
    width = max((len(str(len(each))) for each in rows), default=0)
    for found in rows:
        fixable = sum(map(is_fixable, found))
        note = f" ({fixable} fixable)" if fixable else ""
        severity = f"{printer.severity(found[0])}{' ' * (7 - len(str(found[0].severity)))}"
        yield f"{len(found):>{width}}  {severity}  {printer.rule(found[0])}{note}"


def by_message(report: Report) -> list[list[Located]]:
    """The findings of a rule with the same message together, the worst and then the most first."""
    keys = ((each, (each.finding.rule, each.finding.message)) for each in report.findings)
    return _largest(groups(keys))


def _grouped(report: Report, printer: Printer) -> Iterator[str]:
    """The findings under headings, an empty line behind each group of several messages."""
    behind = [] if report.layout.group_by == "message" else [""]
    for title, lines in _sections(report, printer):
        yield from printer.wrapped(printer.paint(title, bold=True), "  ")
        for line in lines:
            yield from printer.wrapped(f"  {line}", "    ")
        yield from behind


def _sections(report: Report, printer: Printer) -> Iterator[tuple[str, list[str]]]:
    match report.layout.group_by:
        case "file":
            for file, found in groups((each, each.file) for each in report.findings).items():
                at = ((f"{each.place.line}:{each.place.column}", each) for each in found)
                yield terminal_text(file), [f"{where}: {printer.text(each)}" for where, each in at]
        case "rule":
            by_rule = groups((each, each.finding.rule) for each in report.findings)
            for rule, found in sorted(by_rule.items()):
                messages = groups((each, each.finding.message) for each in found)
                lines = [_counted(some, printer) for some in _largest(messages)]
                yield f"{rule} ({count(len(found), 'finding')})", lines
        case _:
            for found in by_message(report):
                help_ = terminal_text(found[0].finding.help)
                lines = [f"help: {help_}"] if help_ else []
                title = f"{len(found)} x {printer.text(found[0])}"
                yield title, [*lines, places(found)]


def _counted(found: Sequence[Located], printer: Printer) -> str:
    first = found[0]
    message = f"{printer.severity(first)}: {terminal_text(first.finding.message)}"
    return f"{len(found)} x {message}{printer.mark(first)} ({places(found)})"


def _largest(found: Mapping[KeyT, list[Located]]) -> list[list[Located]]:
    """The groups, the worst and then the largest first."""
    return sorted(found.values(), key=lambda each: (-each[0].severity, -len(each)))
