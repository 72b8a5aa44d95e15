"""kstatus: how Flux judges an object that no health check expression covers."""

from __future__ import annotations

from celvet.lint.controllers.kstatus.compute import compute
from celvet.lint.controllers.kstatus.reading import read

__all__ = ["GROUPS", "compute", "read"]

GROUPS: frozenset[str] = frozenset()
"""kstatus has no groups: nothing declares it, and it evaluates every object."""
