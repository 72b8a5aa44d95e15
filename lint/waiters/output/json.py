"""JSON, for programs."""

from __future__ import annotations

from typing import Any

from celvet.lint.safe_text import json_text
from celvet.lint.waiters.forecast import Forecast, StateForecast
from celvet.lint.waiters.kubectl_line import KubectlLine
from celvet.lint.waiters.report import ForecastReport, wait_command

_VERSION = 1


def render(report: ForecastReport, color: bool) -> str:
    """One document; `known` is false for a kind that the catalogue does not have."""
    objects = [
        _object(forecast, line)
        for forecast, line in zip(report.forecasts, report.lines, strict=True)
    ]
    waiter = {"name": report.waiter.name, "mirrors": report.waiter.mirrors}
    return json_text({"version": _VERSION, "waiter": waiter, "objects": objects})


def _object(forecast: Forecast, line: KubectlLine | None) -> dict[str, Any]:
    return {
        **forecast.object.fields(),
        "known": forecast.is_known,
        "states": [_state(item) for item in forecast.states],
        "kubectl": wait_command(forecast, line) if line else None,
    }


def _state(item: StateForecast) -> dict[str, Any]:
    judgement = item.judgement
    return {
        "state": item.state.name,
        "stage": item.state.stage,
        "verdict": item.state.verdict,
        "status": judgement.status,
        "effect": judgement.effect,
        "message": judgement.message,
        "error": judgement.error,
        "trouble": item.trouble,
    }
