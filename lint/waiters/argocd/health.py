"""Argo CD's health of an object."""

from __future__ import annotations

from celvet.record import record


@record
class Health:
    """A status code, its message, and the error where a script or a rule ends with one.

    The status is empty where a script returns nothing: Argo CD then has no health for the object.
    """

    status: str
    message: str = ""
    error: str = ""


STATUSES = frozenset({"Unknown", "Progressing", "Suspended", "Healthy", "Degraded", "Missing"})
"""The status codes that a script may return (`isValidHealthStatusCode`)."""
