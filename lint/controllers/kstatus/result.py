"""The verdicts of kstatus, made from its own words."""

from __future__ import annotations

from celvet.lint.verdicts.verdict import Verdict


def current_verdict(message: str) -> Verdict:
    """The verdict on an object that is fully reconciled."""
    return Verdict(status="Current", message=message)


def progress_verdict(reason: str, message: str) -> Verdict:
    """The verdict on an object that is not ready yet.

    `reason` is that of the condition `Reconciling` which kstatus adds.
    """
    return Verdict(status="InProgress", reason=reason, message=message)


def failed_verdict(reason: str, message: str) -> Verdict:
    """The verdict on an object that is given up.

    `reason` is that of the condition `Stalled` which kstatus adds.
    """
    return Verdict(status="Failed", reason=reason, message=message)
