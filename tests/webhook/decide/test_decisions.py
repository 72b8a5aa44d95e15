from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from celvet.lint.engine import Settings
from celvet.webhook.decide.admission import AdmissionDecision, RuleCrashError
from celvet.webhook.decide.policy import AdmissionPolicy, Mode
from celvet.webhook.decide.policy_file import parse
from celvet.webhook.judging.judge import judge
from tests.lsp.manifests import RESOURCE_SET
from tests.webhook.inline_judge import InlineJudge, decide, linted
from tests.webhook.reviews import KINDS, OTHER_KINDS, TABLE, bad_one, kustomization, of_case, review


def policy_of(case: dict[str, Any]) -> AdmissionPolicy:
    return parse(yaml.safe_dump(case.get("policy", {})).encode(), Mode.DENY, Path("policy"))


@pytest.mark.parametrize("case", TABLE["cases"], ids=lambda case: case["name"])
def test_decisions(case: dict[str, Any]) -> None:
    decision = decide(of_case(case), policy_of(case))
    assert decision.skip_reason == case.get("passed", "")
    assert decision.allowed is case.get("allowed", True)
    assert bool(decision.failure_warning) is case.get("unjudged", False)
    if "denials" in case:
        assert [f"{each.rule} {each.field}" for each in decision.denials] == case["denials"]
    assert [each.rule for each in decision.warnings] == case.get("warnings", [])
    if "audited" in case:
        assert [each.rule for each in decision.audit_findings] == case["audited"]


@pytest.mark.parametrize("kind", [*KINDS, *OTHER_KINDS], ids=lambda kind: kind["good"]["kind"])
def test_kinds(kind: dict[str, Any]) -> None:
    good = decide(json.dumps(review(kind["good"])).encode(), AdmissionPolicy())
    assert good == AdmissionDecision(audit_findings=good.audit_findings, warnings=good.warnings)
    bad = decide(json.dumps(review(bad_one(kind))).encode(), AdmissionPolicy())
    assert (bad.denials[0].rule, bad.denials[0].field) == (kind["rule"], kind["field"])


def test_a_resource_set_is_refused_for_what_its_templates_give() -> None:
    value = yaml.safe_load(
        RESOURCE_SET.replace("inputsFrom: [{name: sizes}]", "inputs: [{size: 1 and 2}]")
    )
    (denied,) = decide(json.dumps(review(value)).encode(), AdmissionPolicy()).denials
    assert (denied.rule, denied.field) == ("cel-syntax", "spec.resourcesTemplate")
    assert denied.message.startswith("`and` is not an operator")
    unknown = yaml.safe_load(RESOURCE_SET.replace("status.size >=", "status.size ="))
    (denied,) = decide(json.dumps(review(unknown)).encode(), AdmissionPolicy()).denials
    assert (denied.rule, denied.field) == ("cel-syntax", "spec.resourcesTemplate")


def test_the_old_object_is_linted_only_if_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    objects = linted(monkeypatch)
    good, bad = kustomization("status.a == 1"), kustomization("status.a == 2 &&")
    decide(json.dumps(review(good, "UPDATE", oldObject=bad)).encode(), AdmissionPolicy())
    assert objects == [good, good]
    decide(json.dumps(review(bad, "UPDATE", oldObject=good)).encode(), AdmissionPolicy())
    assert objects[2:] == [bad, good, bad]


def test_what_denies_comes_first_and_stays() -> None:
    old, new = kustomization("status.a =="), kustomization("status.a ==")
    misleading = {"apiVersion": "example.com/v1", "kind": "Y", "current": "1 == 2"}
    wrong = {"apiVersion": "example.com/v1", "kind": "Z", "current": "status.b =="}
    new["spec"]["healthCheckExprs"] += [wrong, misleading]
    body = json.dumps(review(new, "UPDATE", oldObject=old)).encode()
    first, compared, whole = judge(body, Settings())
    assert [each.final for each in (first, compared, whole)] == [False, True, True]
    assert [each.complete for each in (first, compared, whole)] == [False, False, True]
    assert [each.is_old for each in first.findings] == [False, False]
    assert sorted(each.is_old for each in compared.findings) == [False, True]
    assert set(compared.findings) < set(whole.findings)


def test_a_crash_is_an_error() -> None:
    body = json.dumps(review(kustomization("status.a == 1"))).encode()
    with pytest.raises(RuleCrashError, match="rule core-kind failed: KeyError"):
        decide(body, AdmissionPolicy(), InlineJudge(crash="core-kind"))


def test_a_crash_of_a_rule_that_is_off_is_ignored() -> None:
    body = json.dumps(review(kustomization("status.a == 1"))).encode()
    policy = AdmissionPolicy(rules={"core-kind": Mode.OFF})
    assert decide(body, policy, InlineJudge(crash="core-kind")).allowed


def test_an_object_beyond_the_limit_passes_with_a_warning() -> None:
    body = json.dumps(review(kustomization("status.a =="))).encode()
    decision = decide(body, AdmissionPolicy(), InlineJudge(gives_up=True))
    assert decision.allowed
    assert decision.failure_warning == "celvet did not check it: checking the object takes too long"


def test_server_side_fields_are_not_linted(monkeypatch: pytest.MonkeyPatch) -> None:
    objects = linted(monkeypatch)
    value = kustomization("status.a == 1")
    value["status"] = {"x": 1}
    value["metadata"] |= {"resourceVersion": "1", "managedFields": [{}], "uid": "u"}
    value["metadata"]["annotations"] = {"a": "b"}
    decide(json.dumps(review(value)).encode(), AdmissionPolicy())
    assert "status" not in objects[0]
    assert objects[0]["metadata"] == {
        "name": "apps",
        "namespace": "flux-system",
        "annotations": {"a": "b"},
    }


def test_what_would_be_denied_is_reported_in_every_mode() -> None:
    old, new = kustomization("status.a =="), kustomization("status.b ==")
    for mode in (Mode.WARN, Mode.AUDIT):
        policy = AdmissionPolicy(enforce=mode)
        decision = decide(json.dumps(review(new, "UPDATE", oldObject=old)).encode(), policy)
        assert [each.rule for each in decision.would_deny] == ["cel-syntax"]
        assert (decision.allowed, decision.verdict) == (True, "would-be-denied")
    policy = AdmissionPolicy(rules={"cel-syntax": Mode.OFF})
    assert decide(json.dumps(review(new)).encode(), policy).verdict == "allowed"
