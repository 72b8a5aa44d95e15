"""Pages that explain entries, written for people: one module a format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from celvet.lint.formats import Formats

if TYPE_CHECKING:
    from celvet.lint.explain.pages import Page

FORMATS: Formats[Sequence[Page]] = Formats(__name__, __path__)
