"""The stored objects that would be denied, as a metric, log lines and reports."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import Any

import pytest

from celvet.certs.clock import Clock
from celvet.lint.why.inputs.api import ClusterError
from celvet.schemas import load
from celvet.webhook.decide.policy import AdmissionPolicy, Mode
from celvet.webhook.http.client_limits import Limits
from celvet.webhook.http.handler import Webhook
from celvet.webhook.metrics import Metrics
from celvet.webhook.serve.audit import StoredObjectsAudit
from tests.webhook.inline_judge import InlineJudge
from tests.webhook.reviews import kustomization
from tests.why.api_server import ApiServer

_GOOD, _BAD = "status.phase == 'a'", "status.phase =="
_RULE = {"apiGroups": ["kustomize.toolkit.fluxcd.io"], "resources": ["kustomizations"]}
_BY_NAME = {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-system"]}
_BY_LABEL = {"key": "ignore", "operator": "DoesNotExist"}


def _configuration(**webhook: Any) -> dict[str, Any]:
    selector = {"matchExpressions": [_BY_NAME, _BY_LABEL]}
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "celvet"},
        "webhooks": [{"rules": [_RULE], "namespaceSelector": selector, **webhook}],
    }


def _namespace(name: str, **labels: str) -> dict[str, Any]:
    labels["kubernetes.io/metadata.name"] = name
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}


def _stored(name: str, text: str, namespace: str = "apps", **metadata: Any) -> dict[str, Any]:
    value = kustomization(text)
    value["metadata"] = {"name": name, "namespace": namespace, "uid": name, **metadata}
    return value


def _audit(
    server: ApiServer,
    mode: Mode = Mode.AUDIT,
    *,
    judge: InlineJudge | None = None,
    reports: str = "",
    times: int = 1,
) -> str:
    """The metrics after some audits."""
    metrics, waits = Metrics(), list[float]()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == times:
            raise asyncio.CancelledError

    webhook = Webhook(
        judge or InlineJudge(), lambda: AdmissionPolicy(mode), metrics, dict, Limits()
    )
    clock = replace(Clock(), sleep=sleep)
    audit = StoredObjectsAudit(
        server.api(), "celvet", load(), webhook.decide, metrics, reports=reports, clock=clock
    )
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(audit.run())
    return metrics.exposition().decode()


def _cluster(*objects: dict[str, Any], **webhook: Any) -> ApiServer:
    namespaces = [_namespace(name) for name in ("apps", "kube-system")]
    served = ["reports", "kustomizations"]
    return ApiServer([_configuration(**webhook), *namespaces, *objects], served=served)


_KIND = 'kind="Kustomization.kustomize.toolkit.fluxcd.io"'


@pytest.mark.parametrize("mode", [Mode.AUDIT, Mode.WARN, Mode.DENY])
def test_what_deny_would_refuse_is_counted_in_each_mode(mode: Mode) -> None:
    server = _cluster(_stored("a", _BAD), _stored("b", _GOOD), _stored("c", _BAD))
    metrics = _audit(server, mode)
    assert f'celvet_stored_objects_denied{{{_KIND},namespace="apps"}} 2.0' in metrics
    assert 'celvet_stored_objects{verdict="allowed"} 1.0' in metrics
    assert "celvet_audit_success_timestamp_seconds 1." in metrics
    assert "celvet_requests_total{" not in metrics


def test_what_the_policy_switches_off_is_not_counted() -> None:
    assert "celvet_stored_objects_denied{" not in _audit(_cluster(_stored("a", _BAD)), Mode.OFF)


@pytest.mark.parametrize(
    ("objects", "webhook"),
    [
        ([_stored("a", _BAD, "kube-system")], {}),
        ([_namespace("x", ignore=""), _stored("a", _BAD, "x")], {}),
        ([_stored("a", _BAD, deletionTimestamp="2026-01-01T00:00:00Z")], {}),
        ([_stored("a", _BAD)], {"rules": [{**_RULE, "apiGroups": ["other.example.com"]}]}),
        ([_stored("a", _BAD)], {"rules": [{**_RULE, "resources": ["others"]}]}),
        ([_stored("a", _BAD)], {"objectSelector": {"matchLabels": {"checked": "yes"}}}),
    ],
)
def test_what_the_api_server_would_not_send_is_not_counted(
    objects: list[dict[str, Any]], webhook: dict[str, Any]
) -> None:
    assert "celvet_stored_objects{" not in _audit(_cluster(*objects, **webhook))


def test_the_metric_follows_what_is_stored() -> None:
    server = _cluster(_stored("a", _BAD))
    metrics = Metrics()
    metrics.set_stored_objects({"denied": 1}, {("X", "gone"): 1}, 1.0)
    metrics.set_stored_objects({"allowed": 1}, {}, 2.0)
    assert "gone" not in metrics.exposition().decode()
    server.objects = [each for each in server.objects if each["kind"] != "Kustomization"]
    assert "celvet_stored_objects_denied{" not in _audit(server)


def test_the_log_names_each_object_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    _audit(_cluster(_stored("a", _BAD), _stored("b", _BAD)), times=3)
    lines = [each for each in caplog.records if each.msg == "a stored object would be denied"]
    assert [each.fields["name"] for each in lines] == ["a", "b"]  # type: ignore[attr-defined]
    first: dict[str, Any] = lines[0].fields  # type: ignore[attr-defined]
    assert first["namespace"] == "apps"
    assert first["rules"] == ["cel-syntax"]
    assert first["error"].startswith("spec.healthCheckExprs[0].current: ")


def test_a_report_in_each_namespace() -> None:
    server = _cluster(_stored("a", _BAD))
    _audit(server, reports="openreports.io")
    (report,) = [each for each in server.objects if each["kind"] == "Report"]
    assert report["metadata"]["name"] == "celvet-admission"
    assert report["metadata"]["namespace"] == "apps"
    (result,) = report["results"]
    assert (result["rule"], result["result"]) == ("cel-syntax", "fail")
    assert [each["name"] for each in result["resources"]] == ["a"]
    server.objects = [each for each in server.objects if each["kind"] != "Kustomization"]
    _audit(server, reports="openreports.io")
    assert not [each for each in server.objects if each["kind"] == "Report"]


def test_objects_without_a_namespace_are_in_a_report_of_the_cluster() -> None:
    check = {"resourceRef": {"kind": "Job"}, "evaluateCEL": [{"name": "a", "rule": "x =="}]}
    spec = {"validateHealths": [{"name": "a", "group": "b", "version": "v1", "kind": "C", **check}]}
    stored = {
        "apiVersion": "config.projectsveltos.io/v1beta1",
        "kind": "ClusterProfile",
        "metadata": {"name": "p"},
        "spec": spec,
    }
    rule = {"apiGroups": ["config.projectsveltos.io"], "resources": ["clusterprofiles"]}
    server = _cluster(stored, _stored("a", _BAD), rules=[rule, _RULE])
    server.served |= {"policyreports", "clusterpolicyreports"}
    _audit(server, reports="wgpolicyk8s.io")
    (report,) = [each for each in server.objects if each["kind"] == "ClusterPolicyReport"]
    assert report["metadata"]["name"] == "celvet-admission"
    assert "namespace" not in report["metadata"]
    assert [each["name"] for each in report["results"][0]["resources"]] == ["p"]
    server.objects.remove(stored)
    _audit(server, reports="wgpolicyk8s.io")
    assert not [each for each in server.objects if each["kind"] == "ClusterPolicyReport"]


def test_the_report_of_celvet_why_stays() -> None:
    why = {"app.kubernetes.io/managed-by": "celvet", "celvet.dev/report": "why"}
    other = {"name": "celvet-why", "namespace": "apps", "labels": why}
    report = {"apiVersion": "openreports.io/v1alpha1", "kind": "Report", "metadata": other}
    server = _cluster(report)
    _audit(server, reports="openreports.io")
    assert report in server.objects


def test_an_object_that_cannot_be_judged_is_counted_and_the_next_is_judged() -> None:
    broken = _audit(_cluster(_stored("a", _GOOD)), judge=InlineJudge(crash="cel-syntax"))
    assert 'celvet_stored_objects{verdict="unjudged"} 1.0' in broken
    slow = _audit(_cluster(_stored("a", _GOOD)), judge=InlineJudge(gives_up=True))
    assert 'celvet_stored_objects{verdict="unjudged"} 1.0' in slow


@pytest.mark.parametrize(
    ("server", "reason"),
    [
        (ApiServer([_namespace("a")]), "there is no ValidatingWebhookConfiguration `celvet`"),
        (ApiServer([_configuration()], forbidden=["namespaces"]), "cannot list namespaces"),
    ],
)
def test_a_failure_is_logged_once(
    server: ApiServer, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    metrics = _audit(server, times=3)
    (record,) = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert reason in record.getMessage()
    assert "celvet_audit_success_timestamp_seconds 0.0" in metrics


def test_reports_need_their_definition(caplog: pytest.LogCaptureFixture) -> None:
    server = _cluster(_stored("a", _BAD))
    server.served.discard("reports")
    metrics = _audit(server, reports="openreports.io")
    assert f'celvet_stored_objects_denied{{{_KIND},namespace="apps"}} 1.0' in metrics
    assert "install their CRD" in caplog.text
    assert ClusterError.__name__ not in caplog.text
