"""A finished report, written for people or for machines: one module a format.

See `celvet.lint.formats` for what a module has to offer. A format sees the report
and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from celvet.lint.formats import Formats

if TYPE_CHECKING:
    from celvet.lint.report.report import Report

FORMATS: Formats[Report] = Formats(__name__, __path__)
