"""The response to a review, within the limits of the API server.

Limits: `k8s.io/api/admission/v1` (warnings of 256 characters, audit annotations by
qualified names) and `staging/src/k8s.io/apiserver/pkg/endpoints/filters/warning.go`
(4096 characters of warnings in all, beyond which each is cut).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from celvet.webhook.decide.admission import Decision
from celvet.webhook.decide.review import API_VERSION, Review
from celvet.webhook.lint_result import Objection

MAX_WARNING = 256
MAX_WARNINGS = 4096
MAX_CAUSES = 50
_MAX_MESSAGE = 2048
_ANNOTATED = 20
_UNPRINTABLE = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def answer(review: Review, decision: Decision) -> dict[str, Any]:
    """The AdmissionReview that answers a review."""
    response: dict[str, Any] = {"uid": review.uid, "allowed": decision.allowed}
    if not decision.allowed:
        response["status"] = _status(review, decision.denials)
    if warnings := list(_fitting(decision)):
        response["warnings"] = warnings
    if annotations := _annotations(decision):
        response["auditAnnotations"] = annotations
    return {"apiVersion": API_VERSION, "kind": "AdmissionReview", "response": response}


def refusal(code: int, reason: str, message: str) -> dict[str, Any]:
    """A `Status` for a request that gets no answer."""
    return {
        "apiVersion": "v1",
        "kind": "Status",
        "status": "Failure",
        "reason": reason,
        "code": code,
        "message": _line(message, _MAX_MESSAGE),
    }


def _status(review: Review, denials: Sequence[Objection]) -> dict[str, Any]:
    listed = "; ".join(each.summary for each in denials[:MAX_CAUSES])
    details = {
        "name": _line(review.name, _MAX_MESSAGE),
        "group": review.kind.group,
        "kind": review.kind.kind,
        "causes": [_cause(each) for each in denials[:MAX_CAUSES]],
    }
    message = f'{review.kind} "{review.name}" is invalid: {listed}'
    return {**refusal(422, "Invalid", message), "details": details}


def _cause(objection: Objection) -> dict[str, str]:
    return {
        "reason": "FieldValueInvalid",
        "message": _line(objection.text, _MAX_MESSAGE),
        "field": _line(objection.field, _MAX_MESSAGE),
    }


def _fitting(decision: Decision) -> Iterator[str]:
    """As many warnings as fit, and how many did not."""
    texts = [f"{each.field}: {each.text}" for each in decision.warnings]
    if decision.unjudged:
        texts.insert(0, decision.unjudged)
    room = MAX_WARNINGS - MAX_WARNING  # the last line is for the rest
    for index, text in enumerate(texts):
        warning = _line(text, MAX_WARNING)
        if len(warning) > room:
            yield f"{len(texts) - index} more findings of celvet; `celvet lint` lists them all"
            return
        room -= len(warning)
        yield warning


def _annotations(decision: Decision) -> dict[str, str]:
    objections = decision.objections
    if decision.unjudged:
        return {"unjudged": decision.passed}
    if not objections:
        return {}
    verdict = "denied" if decision.denials else "warned" if decision.warnings else "audited"
    listed = "; ".join(each.summary for each in objections[:_ANNOTATED])
    return {
        "verdict": verdict,
        "rules": ",".join(sorted({each.rule for each in objections})),
        "findings": _line(listed, _MAX_MESSAGE),
    }


def _line(text: str, limit: int) -> str:
    """One printable line: warnings become HTTP headers."""
    line = _UNPRINTABLE.sub(" ", text).strip()
    return line if len(line) <= limit else line[: limit - 3] + "..."
