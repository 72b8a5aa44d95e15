"""What each waiter makes of an object, and of the life of a kind."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from celvet.lint.cli.options.waiters import NAMES
from celvet.lint.waiters import WAITERS, argocd, kubectl_wait
from celvet.lint.waiters.forecast import forecast, trouble_of
from celvet.lint.waiters.kubectl_line import kubectl_line
from celvet.lint.waiters.output import FORMATS
from celvet.lint.waiters.report import ForecastReport
from celvet.schemas import kind_facts
from tests.kinds.known import named_kinds
from tests.tables import read_table

_NOW = datetime(2026, 11, 1, tzinfo=UTC)
_HELM = read_table(Path(__file__).with_name("helm.yaml"))
_PAUSED = {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"paused": True}}


@pytest.mark.parametrize("name", ["helm3", "helm4-legacy"])
@pytest.mark.parametrize("case", _HELM, ids=lambda case: case["name"])
def test_helm_without_kstatus(name: str, case: dict[str, Any]) -> None:
    assert WAITERS[name].judge(case["object"], _NOW).effect == case["effect"]


def test_helm4_leaves_a_paused_deployment_out() -> None:
    assert WAITERS["helm4"].judge(_PAUSED, _NOW).effect == "ready"
    assert WAITERS["kstatus"].judge(_PAUSED, _NOW).effect == "waits"


def test_the_command_line_names_every_waiter() -> None:
    assert sorted(NAMES) == sorted({*WAITERS, kubectl_wait.NAME, argocd.NAME})


@pytest.mark.parametrize("waiter", WAITERS.values(), ids=lambda waiter: waiter.name)
@pytest.mark.parametrize("value", [None, [], "text", {}, {"kind": 1}, {"status": []}])
def test_no_object_breaks_a_waiter(waiter: Any, value: Any) -> None:
    assert waiter.judge(value, _NOW).effect in ("ready", "waits", "fails")


def _troubles(api_version: str, kind: str, waiter: str) -> dict[str, set[str]]:
    obj = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "x"}}
    troubles: dict[str, set[str]] = {}
    for item in forecast(obj, WAITERS[waiter], _NOW).troubles:
        troubles.setdefault(str(item.trouble), set()).add(item.state.name)
    return troubles


def test_helm4_waits_for_a_healthy_rollout_until_the_timeout() -> None:
    """Helm's issue 32615: kstatus fails on an observed generation that is a text."""
    assert "Healthy" in _troubles("argoproj.io/v1alpha1", "Rollout", "helm4")["never ready"]


def test_helm4_takes_a_knative_service_without_status_for_ready() -> None:
    """Helm's issue 32066."""
    assert _troubles("serving.knative.dev/v1", "Service", "helm4")["ready early"]


def test_of_an_unknown_kind_nothing_is_forecast() -> None:
    assert not _troubles("example.com/v1", "Thing", "helm4")


@pytest.mark.parametrize("kind", named_kinds(), ids=lambda kind: f"{kind[1]}.{kind[0]}")
def test_a_line_for_kubectl_is_met_by_each_ready_object(kind: tuple[str, str]) -> None:
    facts = kind_facts(*kind)
    assert facts is not None
    line = kubectl_line(facts, _NOW)
    if line is None:
        return
    waiter = kubectl_wait.parse_for(line.text)
    met = {s.name for s in facts.life if waiter.judge(dict(s.object), _NOW).status == "met"}
    assert met >= {state.name for state in facts.life if state.stage == "ready"}
    early = {state.name for state in facts.life if state.verdict != "Current"} & met
    assert early == {state.name for state in line.early}


def _page(*objects: tuple[str, str, str]) -> list[str]:
    """The text of a forecast for `helm4` of objects with these kinds and names, block by block."""
    forecasts = [
        forecast(
            {"apiVersion": version, "kind": kind, "metadata": {"name": name}},
            WAITERS["helm4"],
            _NOW,
        )
        for version, kind, name in objects
    ]
    lines = [kubectl_line(item.facts, _NOW) if item.facts else None for item in forecasts]
    report = ForecastReport(waiter=WAITERS["helm4"], forecasts=forecasts, lines=lines)
    return FORMATS.renderer("text")(report, False).split("\n\n")


def test_a_state_that_needs_a_field_is_left_out_for_an_object_without_it() -> None:
    issuer = {"apiVersion": "cert-manager.io/v1", "kind": "ClusterIssuer", "spec": {"ca": {}}}
    names = [item.state.name for item in forecast(issuer, WAITERS["flux"], _NOW).states]
    assert "Secret not there yet" in names
    assert "server out of reach" not in names  # of ACME


@pytest.mark.parametrize(
    ("form", "waiter", "troubles"),
    [
        ("LoadBalancer", "helm4", ["load balancer without an address"]),
        ("LoadBalancer", "helm3", []),
        ("ClusterIP", "helm4", []),
    ],
)
def test_a_state_may_need_a_value_of_the_spec(form: str, waiter: str, troubles: list[str]) -> None:
    service = {"apiVersion": "v1", "kind": "Service", "spec": {"type": form}}
    result = forecast(service, WAITERS[waiter], _NOW)
    assert [item.state.name for item in result.troubles] == troubles
    assert {item.state.stage for item in result.states} > {"ready"} or form == "ClusterIP"


def test_kubectl_can_wait_for_a_field_that_only_a_ready_object_has() -> None:
    service = {"apiVersion": "v1", "kind": "Service", "spec": {"type": "LoadBalancer"}}
    facts = forecast(service, WAITERS["helm4"], _NOW).facts
    line = kubectl_line(facts, _NOW) if facts else None
    assert line is not None
    assert line.text == "jsonpath={.status.loadBalancer.ingress}"


def test_an_error_for_what_stays_broken_is_no_trouble() -> None:
    facts = kind_facts("", "PersistentVolumeClaim")
    assert facts
    troubles = {state.name: trouble_of(state, "fails") for state in facts.life}
    assert (troubles["Lost"], troubles["Pending"]) == (None, "fails early")


def test_objects_of_a_kind_stand_together_and_the_worst_trouble_comes_first() -> None:
    certificates = [("cert-manager.io/v1", "Certificate", name) for name in "abcde"]
    *blocks, _ = _page(*certificates, ("argoproj.io/v1alpha1", "Rollout", "web"))
    assert [block.splitlines()[0] for block in blocks] == [
        "Rollout web",
        "Certificate a, b, c and 2 more",
    ]


def test_without_a_line_for_kubectl_the_help_is_an_entry() -> None:
    block, _ = _page(("kafka.strimzi.io/v1", "KafkaNodePool", "broker"))
    assert block.splitlines()[-1] == (
        "  help: no `kubectl wait` can tell; see `celvet suggest KafkaNodePool.kafka.strimzi.io`"
    )
