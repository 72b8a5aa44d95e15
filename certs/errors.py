"""Errors whose cause is outside this program; each message is for the user."""

from __future__ import annotations


class UnusableError(ValueError):
    """A certificate or key cannot be used; the message says why."""


class StoreError(Exception):
    """A store or the API server cannot be read or written at present."""


class ConflictError(StoreError):
    """Another process wrote after the version that was read."""
