"""The formats of `celvet suggest`: one module for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from celvet.lint.formats import Formats

if TYPE_CHECKING:
    from celvet.lint.suggest.suggestion import Suggestion

FORMATS: Formats[Sequence[Suggestion]] = Formats(__name__, __path__)
"""JSON for programs; YAML to paste below `healthCheckExprs`."""
