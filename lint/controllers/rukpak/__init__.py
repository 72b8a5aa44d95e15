"""rukpak: the probes of a bundle, by its design document; no code of it was released.

The design names no condition, so the status is that of a condition which says whether the probes
succeed; the messages are ours.
"""

from __future__ import annotations

from celvet.lint.controllers.rukpak.probe_evaluators import GROUPS, evaluators

__all__ = ["GROUPS", "evaluators"]
