"""From symbolic places to lines and columns; no other package deals with those."""

from __future__ import annotations

from celvet.lint.locate.lines import LineRange, Lines
from celvet.lint.locate.locator import Locator

__all__ = ["LineRange", "Lines", "Locator"]
