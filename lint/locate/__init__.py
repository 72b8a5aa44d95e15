"""From symbolic places to lines and columns: the only room that knows them."""

from __future__ import annotations

from celvet.lint.locate.lines import Lines, Place
from celvet.lint.locate.locator import Locator

__all__ = ["Lines", "Locator", "Place"]
