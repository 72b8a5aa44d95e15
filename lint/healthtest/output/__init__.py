"""The formats of the results of health tests: one module for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celvet.lint.formats import Formats

if TYPE_CHECKING:
    from celvet.lint.healthtest.run.results import SuiteReport

FORMATS: Formats[SuiteReport] = Formats(__name__, __path__)
