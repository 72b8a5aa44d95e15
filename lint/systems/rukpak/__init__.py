"""rukpak: the probes of a bundle, by its design document; no code of it was released."""

from __future__ import annotations

from lint.systems.rukpak.judges import GROUPS, judges

__all__ = ["GROUPS", "judges"]
