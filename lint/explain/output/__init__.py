"""The formats of `celvet explain`: one module for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from celvet.lint.formats import Formats

if TYPE_CHECKING:
    from celvet.lint.explain.page import Page

FORMATS: Formats[Sequence[Page]] = Formats(__name__, __path__)
