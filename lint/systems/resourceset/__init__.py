"""Flux Operator: the dependencies of a ResourceSet, and what it waits for.

Builds on `lint.systems.kstatus`.
"""

from __future__ import annotations

from lint.systems.resourceset.judges import GROUPS, judges

__all__ = ["GROUPS", "judges"]
