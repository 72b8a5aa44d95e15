"""The formats of `celvet suggest`: one module for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celvet.lint.formats import Formats

if TYPE_CHECKING:
    from celvet.lint.suggest.suggestion import Suggestions

FORMATS: Formats[Suggestions] = Formats(__name__, __path__)
"""JSON for programs; YAML to paste below `healthCheckExprs`."""
