"""Made-up situations to begin a health test with: as many as a judge may tell apart.

One module a system, and `conventional` for what kstatus judges. Nothing here
knows the verdicts: the judge is asked.
"""

from __future__ import annotations

from celvet.lint.healthtest.scaffold.made_up.registry import made_up
from celvet.lint.healthtest.scaffold.made_up.situation import MadeUp

__all__ = ["MadeUp", "made_up"]
