"""Text for a terminal: the objects with troubles first, each trouble with its states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from celvet.lint.safe_text import terminal_text
from celvet.lint.waiters.forecast import Forecast, StateForecast
from celvet.lint.waiters.kubectl_line import KubectlLine
from celvet.lint.waiters.report import SENTENCES, ForecastReport, by_trouble, name_of, wait_command

_MOST_STATES = 3
_MOST_OBJECTS = 3

_Pair: TypeAlias = tuple[Forecast, KubectlLine | None]


def render(report: ForecastReport, color: bool) -> str:
    """The troubles, then a summary."""
    pairs = [*zip(report.forecasts, report.lines, strict=True)]
    bad_pairs = [pair for pair in pairs if pair[0].troubles]
    lines = [line for group in _by_kind(bad_pairs) for line in _lines(report, group)]
    lines += _summary(report, len(bad_pairs))
    return "".join(f"{terminal_text(line)}\n" for line in lines)


def _by_kind(pairs: Sequence[_Pair]) -> list[list[_Pair]]:
    """The objects of each kind, those with the worst trouble first; they have the same life."""
    groups: dict[tuple[str, str], list[_Pair]] = {}
    for forecast, line in pairs:
        key = (forecast.object.api_version, forecast.object.kind)
        groups.setdefault(key, []).append((forecast, line))
    return sorted(groups.values(), key=lambda group: group[0][0].severity)


def _lines(report: ForecastReport, group: Sequence[_Pair]) -> Iterator[str]:
    forecast, line = group[0]
    names = [name_of(item) for item, _ in group]
    more = len(names) - _MOST_OBJECTS
    more_text = f" and {more} more" if more > 0 else ""
    yield f"{forecast.object.kind} {', '.join(names[:_MOST_OBJECTS])}{more_text}"
    for trouble, states in by_trouble(forecast).items():
        yield f"  {report.waiter.name} {SENTENCES[trouble]}: {_names(states)}"
    if line:
        yield f"  help: {wait_command(forecast, line)}"
        if line.early:
            early = ", ".join(f"`{state.name}`" for state in line.early[:_MOST_STATES])
            yield f"        (kubectl ends too early in {early})"
    elif forecast.facts is None:
        yield "  help: wait for no status, the kind has none"
    else:
        kind = forecast.object.group_kind
        yield f"  help: no `kubectl wait` can tell; see `celvet suggest {kind}`"
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
