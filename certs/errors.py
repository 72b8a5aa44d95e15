"""What can go wrong outside of this program; each message is for the user."""

from __future__ import annotations


class UnusableError(ValueError):
    """A certificate or key that cannot serve; the message says why."""


class StoreError(Exception):
    """A store or the API server cannot be read or written now."""


class ConflictError(StoreError):
    """Somebody else wrote since the version that was read."""
