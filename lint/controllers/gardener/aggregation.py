"""Makes the condition of a type from the results of its checks.

Mirrors `ExecuteHealthCheckFunctions` and `extensionConditionUnsuccessful` of
`extensions/pkg/controller/healthcheck` (v1.149). Gardener lists details in the order in which its
checks end; here it is the order of their declaration.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from celvet.lint.controllers.gardener.checks import CheckResult
from celvet.lint.model import Value
from celvet.lint.verdicts.unstructured import FieldTypeError, optional_text, timestamp
from celvet.lint.verdicts.verdict import Verdict


def aggregate(results: Sequence[CheckResult], old: Value, now: datetime) -> Verdict:
    """Status, reason and message of the condition after these results.

    `old` is the condition as it is in the extension's status, None if
    there is none; `now` has a time zone. A result that is neither False nor
    Progressing counts as successful.
    """
    errors = [result.error for result in results if result.error]
    unsuccessful = [item.detail for item in results if not item.error and item.status == "False"]
    progressing = [item for item in results if not item.error and item.status == "Progressing"]
    details = _sections(errors, unsuccessful, [item.detail for item in progressing])
    # Errors go before failures, and those before what is progressing (`reconciler.go`).
    if errors:
        message = f"failed to execute {len(errors)} health {_checks(errors)}: {details}"
        return Verdict(status="Unknown", reason="ConditionCheckError", message=message)
    if not details:
        return successful("All health checks successful")
    if not unsuccessful and _still_tolerated(progressing, old, now):
        reason = "HealthCheckProgressing"
        return Verdict(status="Progressing", reason=reason, message=details)
    return Verdict(status="False", reason="HealthCheckUnsuccessful", message=details)


def successful(message: str) -> Verdict:
    """A condition that is True, and why."""
    return Verdict(status="True", reason="HealthCheckSuccessful", message=message)


def documented_success(results: Sequence[CheckResult]) -> str:
    """The message of success as Gardener's documentation shows it."""
    return f"({len(results)}/{len(results)}) Health checks successful"


def _sections(errors: list[str], unsuccessful: list[str], progressing: list[str]) -> str:
    """All details; with headings if there is more than one sort."""
    headings = ("Unable to execute", "Failed", "Progressing")
    sorts = zip(headings, (errors, unsuccessful, progressing), strict=True)
    sections = [(heading, details) for heading, details in sorts if details]
    if len(sections) == 1:
        return _listed(sections[0][1])
    return " ".join(
        f"{words} {_checks(details)}: {_listed(details)}" for words, details in sections
    )


def _still_tolerated(progressing: list[CheckResult], old: Value, now: datetime) -> bool:
    """Whether the shortest threshold has not run out since the condition changed.

    It starts again from a condition that is missing or True, and never from one
    that is False.
    """
    thresholds = [item.threshold for item in progressing if item.threshold is not None]
    if not thresholds:
        return False
    if old is None:
        return True
    status, since = _state(old)
    if status in ("True", "False"):
        return status == "True"
    return since is not None and now - since <= min(thresholds)


def _state(old: Value) -> tuple[str, datetime | None]:
    """Status and last change of a condition; nothing if one of them has a wrong type."""
    try:
        return optional_text(old, "status"), timestamp(optional_text(old, "lastTransitionTime"))
    except FieldTypeError:
        return "", None


def _listed(details: Sequence[str]) -> str:
    """Details as sentences, numbered if there are several."""
    sentences = [detail if detail.endswith(".") else f"{detail}." for detail in details]
    if len(sentences) == 1:
        return sentences[0]
    return " ".join(f"{number}) {sentence}" for number, sentence in enumerate(sentences, start=1))


def _checks(details: Sequence[str]) -> str:
    return "checks" if len(details) > 1 else "check"
