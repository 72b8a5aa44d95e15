"""The formats of `celvet why`: one module for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celvet.lint.formats import Formats

if TYPE_CHECKING:
    from celvet.lint.why.report import WhyReport

FORMATS: Formats[WhyReport] = Formats(__name__, __path__)
"""JSON for programs, text for a terminal, HTML for a browser."""
