"""Text for a terminal: the objects with troubles first, each trouble with its states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from celvet.lint.safe_text import terminal_text
from celvet.lint.waiters.forecast import Forecast, StateForecast
from celvet.lint.waiters.kubectl_line import KubectlLine
from celvet.lint.waiters.report import (
    SENTENCES,
    ForecastReport,
    by_trouble,
    name_of,
    wait_command,
)

_MOST_STATES = 3


def render(report: ForecastReport, color: bool) -> str:
    """The troubles, then a summary."""
    pairs = [*zip(report.forecasts, report.lines, strict=True)]
    troubled = [pair for pair in pairs if pair[0].troubles]
    lines = [line for pair in troubled for line in _lines(report, *pair)]
    lines += _summary(report, len(troubled))
    return "".join(f"{terminal_text(line)}\n" for line in lines)


def _lines(report: ForecastReport, forecast: Forecast, line: KubectlLine | None) -> Iterator[str]:
    yield name_of(forecast)
    for trouble, states in by_trouble(forecast).items():
        yield f"  {report.waiter.name} {SENTENCES[trouble]}: {_names(states)}"
    if line:
        yield f"  help: {wait_command(forecast, line)}"
        if line.early:
            names = ", ".join(f"`{state.name}`" for state in line.early[:_MOST_STATES])
            yield f"        (kubectl ends too early in {names})"
    yield ""


def _names(states: Sequence[StateForecast]) -> str:
    names = ", ".join(f"`{item.state.name}`" for item in states[:_MOST_STATES])
    more = len(states) - _MOST_STATES
    return f"{names} and {more} more" if more > 0 else names


def _summary(report: ForecastReport, troubled: int) -> Iterator[str]:
    count = len(report.forecasts)
    waiter = f"{report.waiter.name} ({report.waiter.mirrors})"
    yield f"{waiter}: {troubled} of {count} object{'' if count == 1 else 's'} with trouble"
    unknown = sorted(
        {str(item.object.group_kind) for item in report.forecasts if not item.is_known}
    )
    if unknown:
        yield f"kinds of which nothing is known: {', '.join(unknown)}"
