"""Responses: to a review, within the limits of the API server, and to a refused request.

Limits: `k8s.io/api/admission/v1` (warnings of 256 characters, audit annotations by qualified
names) and `staging/src/k8s.io/apiserver/pkg/endpoints/filters/warning.go` (4096 characters of
warnings in all; beyond that, each warning is cut).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from aiohttp import web

from celvet.lint.safe_text import INVISIBLE
from celvet.webhook.decide.admission import AdmissionDecision
from celvet.webhook.decide.review import API_VERSION, Review
from celvet.webhook.judgement import FindingRecord

MAX_WARNING = 256
MAX_WARNINGS = 4096
MAX_CAUSES = 50
_MAX_MESSAGE = 2048
_ANNOTATED = 20
_INCOMPLETE = "celvet was busy and looked only for errors; `celvet lint` has the warnings"
_UNPRINTABLE = re.compile(rf"[\x00-\x20\ud800-\udfff{INVISIBLE}]+")


def answer(review: Review, decision: AdmissionDecision) -> dict[str, Any]:
    """The AdmissionReview that answers a review."""
    response: dict[str, Any] = {"uid": review.uid, "allowed": decision.allowed}
    if not decision.allowed:
        response["status"] = _status(review, decision.denials)
    if warnings := list(_warnings(decision)):
        response["warnings"] = warnings
    if annotations := _annotations(decision):
        response["auditAnnotations"] = annotations
    return {"apiVersion": API_VERSION, "kind": "AdmissionReview", "response": response}


def refusal(code: int, reason: str, message: str) -> dict[str, Any]:
    """A `Status` for a request that is not answered by a review."""
    return {
        "apiVersion": "v1",
        "kind": "Status",
        "status": "Failure",
        "reason": reason,
        "code": code,
        "message": _line(message, _MAX_MESSAGE),
    }


def refusal_response(status: int, reason: str, message: str) -> web.Response:
    """The response with that `Status`."""
    return json_response(refusal(status, reason, message), status)


def json_response(content: dict[str, Any], status: int = 200) -> web.Response:
    """A response of JSON."""
    body = json.dumps(content).encode()
    return web.Response(body=body, status=status, content_type="application/json")


def _status(review: Review, denials: Sequence[FindingRecord]) -> dict[str, Any]:
    summaries = "; ".join(finding.summary for finding in denials[:MAX_CAUSES])
    details = {
        "name": _line(review.name, _MAX_MESSAGE),
        "group": review.kind.group,
        "kind": review.kind.kind,
        "causes": [_cause(finding) for finding in denials[:MAX_CAUSES]],
    }
    message = f'{review.kind} "{review.name}" is invalid: {summaries}'
    return {**refusal(422, "Invalid", message), "details": details}


def _cause(finding: FindingRecord) -> dict[str, str]:
    return {
        "reason": "FieldValueInvalid",
        "message": _line(finding.text, _MAX_MESSAGE),
        "field": _line(finding.field, _MAX_MESSAGE),
    }


def _warnings(decision: AdmissionDecision) -> Iterator[str]:
    """As many warnings as fit, and a line that counts the other findings."""
    texts = [f"{finding.field}: {finding.text}" for finding in decision.warnings]
    if decision.failure_warning:
        texts.insert(0, decision.failure_warning)
    if not decision.complete:
        texts.append(_INCOMPLETE)
    free = MAX_WARNINGS - MAX_WARNING  # room for the last line
    for index, text in enumerate(texts):
        warning = _line(text, MAX_WARNING)
        if len(warning) > free:
            yield _more(len(texts) - index + decision.omitted)
            return
        free -= len(warning)
        yield warning
    if decision.omitted:
        yield _more(decision.omitted)


def _more(number: int) -> str:
    return f"{number} more findings by celvet; `celvet lint` lists them all"


def _annotations(decision: AdmissionDecision) -> dict[str, str]:
    findings = decision.findings
    if decision.failure_warning:
        return {"unjudged": decision.skip_reason}
    incomplete = {} if decision.complete else {"incomplete": _INCOMPLETE}
    if not findings:
        return incomplete
    summaries = "; ".join(finding.summary for finding in findings[:_ANNOTATED])
    return {
        "verdict": decision.verdict,
        "rules": ",".join(sorted({finding.rule for finding in findings})),
        "findings": _line(summaries, _MAX_MESSAGE),
        **incomplete,
    }


def _line(text: str, limit: int) -> str:
    """The text as one printable line: warnings become HTTP headers."""
    line = _UNPRINTABLE.sub(" ", text).strip()
    return line if len(line) <= limit else line[: limit - 3] + "..."
