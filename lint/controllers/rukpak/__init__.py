"""rukpak: the probes of a bundle, by its design document; no code of it was released.

The design names no condition, so statuses are those of one that says whether
the probes hold; messages are ours.
"""

from __future__ import annotations

from celvet.lint.controllers.rukpak.evaluators import GROUPS, evaluators

__all__ = ["GROUPS", "evaluators"]
