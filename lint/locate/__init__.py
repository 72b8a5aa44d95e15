"""From symbolic places to lines and columns: the only room that knows them."""

from __future__ import annotations

from celvet.lint.locate.lines import LineRange, Lines
from celvet.lint.locate.locator import Locator

__all__ = ["LineRange", "Lines", "Locator"]
