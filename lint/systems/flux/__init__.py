"""Flux: the health checks of a Kustomization or HelmRelease, and its dependencies.

Builds on `lint.systems.kstatus`, which judges what no health check covers.
"""

from __future__ import annotations

from lint.systems.flux.judges import judges
from lint.systems.flux.kinds import GROUPS

__all__ = ["GROUPS", "judges"]
