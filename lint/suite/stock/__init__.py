"""Made-up situations to begin a health test with: as many as a judge may tell apart.

One module a system, and `conventional` for what kstatus judges. Nothing here
knows the verdicts: the judge is asked.
"""

from __future__ import annotations

from lint.suite.stock.made_up import MadeUp
from lint.suite.stock.registry import made_up

__all__ = ["MadeUp", "made_up"]
