"""What `celvet forecast` reports: a waiter, and what it does with each object."""

from __future__ import annotations

from collections.abc import Sequence

from celvet.lint.waiters.forecast import Forecast, StateForecast, Trouble
from celvet.lint.waiters.kubectl_line import KubectlLine
from celvet.lint.waiters.waiter import Waiter
from celvet.record import record

SENTENCES: dict[Trouble, str] = {
    "fails early": "ends with an error although the object recovers",
    "never ready": "waits until the timeout although the object is ready",
    "ready early": "counts the object as ready while it is still coming up",
    "failure unseen": "counts the object as ready although it has failed for good",
}


@record(kw_only=True)
class ForecastReport:
    """The forecasts, in the order of the objects; `lines` has the `kubectl wait` of each."""

    waiter: Waiter
    forecasts: Sequence[Forecast]
    lines: Sequence[KubectlLine | None]


def by_trouble(forecast: Forecast) -> dict[Trouble, list[StateForecast]]:
    """The states with each trouble, the worst trouble first."""
    groups: dict[Trouble, list[StateForecast]] = {}
    for item in forecast.troubles:
        if item.trouble:
            groups.setdefault(item.trouble, []).append(item)
    return groups


def name_of(forecast: Forecast) -> str:
    """The namespace and the name of the object."""
    return "/".join(filter(None, (forecast.object.namespace, forecast.object.name)))


def wait_command(forecast: Forecast, line: KubectlLine) -> str:
    """The `kubectl wait` for an object."""
    ref, kind = forecast.object, forecast.object.group_kind
    namespace = f" -n {ref.namespace}" if ref.namespace else ""
    plural = f"{kind.kind}.{kind.group}".rstrip(".").lower()
    return f"kubectl wait{namespace} {plural}/{ref.name} --for='{line.text}' --timeout=5m"
