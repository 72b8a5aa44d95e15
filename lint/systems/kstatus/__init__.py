"""kstatus: what Flux says of an object that no health check expression covers."""

from __future__ import annotations

from lint.systems.kstatus.compute import compute

__all__ = ["compute"]
