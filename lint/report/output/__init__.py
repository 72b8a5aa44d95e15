"""The formats of a report, for people or for machines: one module for each.

See `celvet.lint.formats` for the interface of a module. A format sees only the report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from celvet.lint.formats import Formats

if TYPE_CHECKING:
    from celvet.lint.report.report import Report

FORMATS: Formats[Report] = Formats(__name__, __path__)
