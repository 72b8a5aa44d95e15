"""rukpak: the probes of a bundle, by its design document; no code of it was released."""

from __future__ import annotations

from celvet.lint.controllers.rukpak.evaluators import GROUPS, evaluators

__all__ = ["GROUPS", "evaluators"]
