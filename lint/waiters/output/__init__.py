"""The formats of `celvet forecast`: one module for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celvet.lint.formats import Formats

if TYPE_CHECKING:
    from celvet.lint.waiters.report import ForecastReport

FORMATS: Formats[ForecastReport] = Formats(__name__, __path__)
"""JSON for programs, text for people."""
