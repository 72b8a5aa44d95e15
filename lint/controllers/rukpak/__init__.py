"""rukpak: the probes of a bundle, by its design document; no code of it was released."""

from __future__ import annotations

from celvet.lint.controllers.rukpak.judges import GROUPS, judges

__all__ = ["GROUPS", "judges"]
