from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.model import Severity
from celvet.webhook.decide.admission import AdmissionDecision
from celvet.webhook.decide.review import read
from celvet.webhook.http.answer import MAX_CAUSES, MAX_WARNING, MAX_WARNINGS, answer, refusal
from celvet.webhook.judgement import FindingRecord
from tests.webhook.reviews import kustomization, review

REVIEW = read(json.dumps(review(kustomization("true"))).encode())
ERROR = FindingRecord("cel-syntax", Severity.ERROR, "spec.a[0].current", "it is wrong", "Mend it.")
WARNING = FindingRecord("missing-failed", Severity.WARNING, "spec.a[0]", "it misleads")


def response(decision: AdmissionDecision) -> dict[str, Any]:
    document = answer(REVIEW, decision)
    assert (document["apiVersion"], document["kind"]) == ("admission.k8s.io/v1", "AdmissionReview")
    found: dict[str, Any] = document["response"]
    assert found["uid"] == REVIEW.uid
    return found


def test_allowed_without_findings() -> None:
    assert response(AdmissionDecision()) == {"uid": REVIEW.uid, "allowed": True}
    assert response(AdmissionDecision(skip_reason="a reason")) == {
        "uid": REVIEW.uid,
        "allowed": True,
    }


def test_denied() -> None:
    found = response(AdmissionDecision(denials=(ERROR,), warnings=(WARNING,)))
    assert found["allowed"] is False
    status = found["status"]
    assert (status["code"], status["reason"], status["status"]) == (422, "Invalid", "Failure")
    assert status["message"] == (
        'Kustomization.kustomize.toolkit.fluxcd.io "apps" is invalid:'
        " spec.a[0].current: it is wrong [celvet: cel-syntax]"
    )
    assert status["details"] == {
        "name": "apps",
        "group": "kustomize.toolkit.fluxcd.io",
        "kind": "Kustomization",
        "causes": [
            {
                "field": "spec.a[0].current",
                "reason": "FieldValueInvalid",
                "message": "it is wrong [celvet: cel-syntax]: Mend it.",
            }
        ],
    }
    assert found["warnings"] == ["spec.a[0]: it misleads [celvet: missing-failed]"]
    assert found["auditAnnotations"]["verdict"] == "denied"
    assert found["auditAnnotations"]["rules"] == "cel-syntax,missing-failed"


def test_a_generated_name() -> None:
    value = kustomization("true")
    value["metadata"] = {"generateName": "apps-"}
    generated = read(json.dumps(review(value)).encode())
    status = answer(generated, AdmissionDecision(denials=(ERROR,)))["response"]["status"]
    assert status["details"]["name"] == "apps-"
    assert '"apps-" is invalid' in status["message"]


def test_unjudged_warns_the_user_and_is_audited() -> None:
    found = response(
        AdmissionDecision(
            skip_reason="too large", failure_warning="celvet did not check it: too large"
        )
    )
    assert found["allowed"] is True
    assert found["warnings"] == ["celvet did not check it: too large"]
    assert found["auditAnnotations"] == {"unjudged": "too large"}


def test_an_answer_without_warnings_says_so() -> None:
    found = response(AdmissionDecision(denials=(ERROR,), complete=False))
    (warning,) = found["warnings"]
    assert warning == found["auditAnnotations"]["incomplete"]
    assert "looked only for errors" in warning
    assert found["auditAnnotations"]["rules"] == "cel-syntax"
    assert response(AdmissionDecision(complete=False))["auditAnnotations"].keys() == {"incomplete"}


def test_more_findings_than_fit() -> None:
    many = tuple(
        FindingRecord("r", Severity.WARNING, "f", f"{index} " + "x" * 300) for index in range(99)
    )
    found = response(AdmissionDecision(denials=(ERROR,) * 99, warnings=many))
    assert len(found["status"]["details"]["causes"]) == MAX_CAUSES
    assert sum(map(len, found["warnings"])) <= MAX_WARNINGS
    assert found["warnings"][0].startswith("f: 0 xxx")
    assert found["warnings"][-1] == "84 more findings by celvet; `celvet lint` lists them all"


def test_findings_that_were_left_out_are_counted() -> None:
    assert response(AdmissionDecision(warnings=(WARNING,), omitted=150))["warnings"][1:] == [
        "150 more findings by celvet; `celvet lint` lists them all"
    ]


TEXTS = st.text(max_size=400)
RECORDS = st.lists(
    st.builds(FindingRecord, TEXTS, st.sampled_from(Severity), TEXTS, TEXTS, TEXTS), max_size=30
).map(tuple)


@given(denials=RECORDS, warnings=RECORDS, audited=RECORDS)
def test_any_text_fits_the_limits_and_a_header(denials: Any, warnings: Any, audited: Any) -> None:
    found = response(AdmissionDecision(denials=denials, warnings=warnings, audit_findings=audited))
    for warning in found.get("warnings", []):
        assert 0 < len(warning) <= MAX_WARNING
        assert warning.isprintable() or not any(ord(char) < 32 for char in warning)
    assert sum(map(len, found.get("warnings", []))) <= MAX_WARNINGS
    assert len(json.dumps(found)) < 400_000


def test_a_refusal_is_a_status() -> None:
    assert refusal(400, "BadRequest", "not\nJSON") == {
        "apiVersion": "v1",
        "kind": "Status",
        "status": "Failure",
        "reason": "BadRequest",
        "code": 400,
        "message": "not JSON",
    }
