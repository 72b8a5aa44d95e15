"""The objects that the chart renders from its values."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from celvet.lint.cli.commands.why import command as why
from celvet.webhook import memory_budget
from celvet.webhook.cli.command import serve
from celvet.webhook.options import ServeOptions
from tests import libyaml
from tests.charts.rendering import CHART, HELM, VALUES, RefusedError, only, render
from tests.tables import read_table

pytestmark = pytest.mark.skipif(HELM is None, reason="needs helm (`make e2e` builds one)")
_REFUSED = read_table(Path(__file__).parent / "refused.yaml")
_MODES = {"self": {}, "certManager": {}, "secret": {"secret": {"name": "given"}}}


@pytest.mark.parametrize("case", _REFUSED, ids=lambda case: str(case["values"]))
def test_values_that_make_no_sense(case: dict[str, Any]) -> None:
    with pytest.raises(RefusedError) as refused:
        render(case["values"])
    assert case["says"] in str(refused.value)


@pytest.mark.parametrize("name", VALUES)
def test_helm_lint_has_nothing_to_say(name: str) -> None:
    command = [str(HELM), "lint", "--strict", str(CHART), "--values", "-"]
    given = libyaml.dump(VALUES[name])
    run = subprocess.run(command, check=False, input=given, capture_output=True, encoding="utf-8")
    assert run.returncode == 0, run.stdout
    assert "[WARNING]" not in run.stdout


@pytest.mark.parametrize("name", VALUES)
def test_the_pod_may_do_nothing_but_serve(name: str) -> None:
    objects = render(VALUES[name])
    pods = [only(objects, "Deployment")["spec"]["template"]["spec"], only(objects, "Pod")["spec"]]
    for pod in pods:
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        [container] = pod["containers"]
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert {"requests", "limits"} <= container["resources"].keys()


@pytest.mark.parametrize("name", VALUES)
def test_the_arguments_are_those_of_celvet_serve(name: str) -> None:
    [container] = _pod(render(VALUES[name]))["containers"]
    command, *arguments = container["args"]
    known = [each for each in arguments if not each.startswith("--schemas=")]
    assert command == serve.name
    assert serve.make_context("serve", known).params["config"]


@pytest.mark.parametrize("shards", [1, 3])
def test_the_arguments_of_the_reports_are_those_of_celvet_why(shards: int) -> None:
    job = only(render({"reports": {"enabled": True, "shards": shards}}), "CronJob")["spec"]
    [container] = job["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    index = "$(JOB_COMPLETION_INDEX)"
    command, *arguments = [text.replace(index, "2") for text in container["args"]]
    params = why.make_context(command, arguments).params
    assert (command, params["group"]) == (why.name, "openreports.io")
    assert params["shard"] == (None if shards == 1 else (2, 3))


@pytest.mark.parametrize("name", VALUES)
def test_everything_is_labelled_and_in_its_place(name: str) -> None:
    for each in render(VALUES[name]):
        assert each["metadata"]["labels"]["app.kubernetes.io/instance"] == "celvet"
        cluster = each["kind"] in {
            "ClusterRole",
            "ClusterRoleBinding",
            "ValidatingWebhookConfiguration",
        }
        namespace = None if cluster else "gitops"
        if each["kind"] in ("Role", "RoleBinding") and each["metadata"]["name"].endswith("-test"):
            namespace = "default"
        assert each["metadata"].get("namespace") == namespace


@pytest.mark.parametrize("mode", _MODES)
def test_rights_and_the_token_only_for_who_keeps_certificates(mode: str) -> None:
    objects = render({"certificates": {"mode": mode, **_MODES[mode]}})
    kinds = {each["kind"] for each in objects if not _is_hook(each)}
    keeps = mode == "self"
    assert {"Role", "ClusterRole", "Secret"} & kinds == (
        {"Role", "ClusterRole", "Secret"} if keeps else set()
    )
    assert _pod(objects)["automountServiceAccountToken"] is keeps


def test_no_right_without_a_name() -> None:
    objects = render({})
    roles = [each for each in objects if each["kind"] in ("Role", "ClusterRole")]
    rules = [rule for each in roles if not _is_hook(each) for rule in each["rules"]]
    assert all(rule["resourceNames"] and rule["verbs"] == ["get", "patch"] for rule in rules)


def test_the_cluster_s_definitions_need_one_right_more() -> None:
    objects = render({"crdsFromApiServer": True, "certificates": {"mode": "certManager"}})
    assert only(objects, "ClusterRole")["rules"] == [
        {
            "apiGroups": ["apiextensions.k8s.io"],
            "resources": ["customresourcedefinitions"],
            "verbs": ["list", "watch"],
        }
    ]
    assert "Role" not in {each["kind"] for each in objects if not _is_hook(each)}
    assert _pod(objects)["automountServiceAccountToken"] is True


def test_an_audit_may_read_what_it_judges_and_write_only_reports() -> None:
    objects = render(VALUES["an audit with reports"])
    rules = only(objects, "ClusterRole")["rules"]
    granted = {
        (group, resource): rule["verbs"]
        for rule in rules
        for group in rule["apiGroups"]
        for resource in rule["resources"]
    }
    configurations = granted.pop(
        ("admissionregistration.k8s.io", "validatingwebhookconfigurations")
    )
    assert configurations == ["get"]
    for kind in ("reports", "clusterreports"):
        assert granted.pop(("openreports.io", kind)) == ["list", "create", "patch", "delete"]
    assert {*map(tuple, granted.values())} == {("list",)}
    assert {("", "namespaces"), ("carto.run", "clustertemplates")} <= granted.keys()
    [container] = _pod(objects)["containers"]
    assert {"--audit-existing=celvet", "--audit-reports=openreports.io"} <= {*container["args"]}
    assert _pod(objects)["automountServiceAccountToken"] is True


def test_the_certificate_is_mounted_from_the_secret_of_its_mode() -> None:
    found = {mode: _tls({"certificates": {"mode": mode, **_MODES[mode]}}) for mode in _MODES}
    assert found == {"self": None, "certManager": "celvet-certificate", "secret": "given"}


def test_the_webhook_leaves_out_kube_system_and_its_own_namespace() -> None:
    webhook = _webhook(render({}))
    by_name, by_label = webhook["namespaceSelector"]["matchExpressions"]
    assert by_name["values"] == ["kube-system", "gitops"]
    assert by_label == {"key": "celvet.dev/ignore", "operator": "DoesNotExist"}
    assert webhook["failurePolicy"] == "Ignore"
    assert webhook["sideEffects"] == "None"
    assert webhook["matchPolicy"] == "Equivalent"
    assert "caBundle" not in webhook["clientConfig"]


def test_the_rules_are_the_generated_ones_and_then_the_users() -> None:
    extra = {"operations": ["CREATE"], "apiGroups": ["x"], "apiVersions": ["v1"]}
    rules = _webhook(render({"webhook": {"extraRules": [extra]}}))["rules"]
    generated = read_table(CHART / "files" / "rules.yaml")
    assert rules == [*generated, extra]


def test_with_an_autoscaler_the_deployment_says_nothing_about_replicas() -> None:
    assert only(render({}), "Deployment")["spec"]["replicas"] == 2
    scaled = render({"autoscaling": {"enabled": True}})
    assert "replicas" not in only(scaled, "Deployment")["spec"]
    assert only(scaled, "HorizontalPodAutoscaler")["spec"]["minReplicas"] == 2


def test_the_grace_covers_delay_and_drain() -> None:
    pod = _pod(render({"shutdownDelay": 7.5, "drainTimeout": 20}))
    assert pod["terminationGracePeriodSeconds"] == 8 + 20 + 10


@pytest.mark.parametrize(
    ("values", "limit"),
    [
        ({}, "1216Mi"),
        ({"workers": 4, "memoryPerWorker": 512}, "2496Mi"),
        ({"resources": {"limits": {"memory": "3Gi", "cpu": 2}}}, "3Gi"),
    ],
)
def test_the_memory_limit_follows_the_workers(values: dict[str, Any], limit: str) -> None:
    [container] = _pod(render(values))["containers"]
    assert container["resources"]["limits"]["memory"] == limit
    assert container["resources"]["requests"]["memory"] == "256Mi"


def test_the_chart_leaves_a_judging_process_the_memory_of_its_value() -> None:
    """The chart adds at least as much for everything else as celvet sets aside."""
    [container] = _pod(render({}))["containers"]
    limit = int(container["resources"]["limits"]["memory"].removesuffix("Mi")) * memory_budget.MIB
    options = ServeOptions()
    budget = memory_budget.MemoryBudget.of(limit, options.workers, options.max_body_bytes)
    assert budget.process >= 256 * memory_budget.MIB
    fixed = memory_budget.fixed_bytes(budget.large_bodies * options.max_body_bytes)
    assert fixed + options.workers * budget.process <= limit


def test_a_hanging_pod_is_restarted_before_the_api_server_gives_up() -> None:
    objects = render({})
    [container] = _pod(objects)["containers"]
    probe = container["livenessProbe"]
    seconds = probe["periodSeconds"] * probe["failureThreshold"] + probe["timeoutSeconds"]
    assert seconds < _webhook(objects)["timeoutSeconds"]


def test_everything_that_can_be_set_arrives() -> None:
    objects = render(VALUES["everything"])
    pod, webhook = _pod(objects), _webhook(objects)
    [container] = pod["containers"]
    assert not {"hostNetwork", "dnsPolicy"} & pod.keys()
    assert {"--port=10250", "--events", "--events-excluded=kube-system"} <= set(container["args"])
    assert pod["dnsConfig"] == {"options": [{"name": "ndots", "value": "1"}]}
    assert only(objects, "Deployment")["spec"]["revisionHistoryLimit"] == 3
    assert only(objects, "Deployment")["metadata"]["annotations"]["reloader"] == "auto"
    assert only(objects, "Service")["metadata"]["labels"]["tier"] == "policy"
    assert "--client-ca-file=/etc/celvet/client-ca/ca.pem" in container["args"]
    assert [each["containerPort"] for each in container["ports"]] == [10250, 10251]
    assert container["readinessProbe"]["periodSeconds"] == 1
    assert webhook["sideEffects"] == "NoneOnDryRun"
    assert webhook["namespaceSelector"]["matchExpressions"][1]["key"] == "example.com/unchecked"
    assert only(objects, "Deployment")["spec"]["strategy"] == {"type": "Recreate"}
    assert only(objects, "PodDisruptionBudget")["spec"]["minAvailable"] == "50%"
    assert "maxUnavailable" not in only(objects, "PodDisruptionBudget")["spec"]
    assert only(objects, "Service")["spec"]["ipFamilies"] == ["IPv4"]
    assert only(objects, "PodMonitor")["spec"]["podMetricsEndpoints"][0]["interval"] == "15s"
    extra = [each for each in objects if each["metadata"]["name"] == "celvet-extra"]
    assert [each["metadata"]["namespace"] for each in extra] == ["gitops"]
    rights = only(objects, "ClusterRole")["rules"]
    assert {"apiGroups": [""], "resources": ["events"], "verbs": ["create"]} in rights
    verbs = ["get", "list"]
    assert {"apiGroups": ["example.com"], "resources": ["things"], "verbs": verbs} in rights
    assert not [rule for rule in rights if "*" in rule["resources"]]
    for each in objects:
        if each not in extra and not _is_hook(each):
            assert each["metadata"]["labels"]["team"] == "platform"
            assert each["metadata"]["annotations"]["example.com/owner"] == "platform"


def test_what_repairs_the_cluster_does_not_wait_for_celvet() -> None:
    by_name, _ = _webhook(render({"webhook": {"failurePolicy": "Fail"}}))["namespaceSelector"][
        "matchExpressions"
    ]
    assert by_name["values"] == ["kube-system", "flux-system", "gitops"]


def test_a_url_replaces_the_service() -> None:
    config = _webhook(render({"webhook": {"url": "https://celvet.example:8443"}}))["clientConfig"]
    assert config == {"url": "https://celvet.example:8443/validate"}


def test_metrics_and_probes_over_tls() -> None:
    values = {"metricsTLS": True, "serviceMonitor": {"enabled": True}}
    objects = render(values)
    [container] = _pod(objects)["containers"]
    assert "--metrics-tls" in container["args"]
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container[probe]["httpGet"]["scheme"] == "HTTPS"
    [endpoint] = only(objects, "ServiceMonitor")["spec"]["endpoints"]
    assert endpoint["scheme"] == "https"
    assert endpoint["tlsConfig"] == {"insecureSkipVerify": True}


@pytest.mark.parametrize(
    ("values", "types"),
    [
        ({}, ["Ingress"]),  # celvet calls the API server, wherever that is
        ({"certificates": {"mode": "certManager"}}, ["Ingress", "Egress"]),
        ({"networkPolicy": {"egress": True}}, ["Ingress", "Egress"]),
        (
            {"networkPolicy": {"apiServer": [{"ipBlock": {"cidr": "10.0.0.1/32"}}]}},
            ["Ingress", "Egress"],
        ),
    ],
)
def test_the_network_policy_cuts_off_nothing_that_celvet_needs(
    values: dict[str, Any], types: list[str]
) -> None:
    spec = only(render(values), "NetworkPolicy")["spec"]
    assert spec["policyTypes"] == types
    assert [rule["ports"][0]["port"] for rule in spec["ingress"]] == ["webhook", "metrics"]
    assert ("egress" in spec) is ("Egress" in types)


def test_the_probe_after_an_installation_is_the_test() -> None:
    assert not [each for each in render({}) if each["kind"] == "Job"]
    objects = render({"postInstall": {"probe": True}})
    job = only(objects, "Job")
    assert job["metadata"]["annotations"]["helm.sh/hook"] == "post-install,post-upgrade"
    [tested] = only(objects, "Pod")["spec"]["containers"]
    assert job["spec"]["template"]["spec"]["containers"] == [tested]
    assert tested["args"][1:] == ["https://celvet.gitops.svc:443", "default", "deny"]


def test_the_network_of_the_node() -> None:
    pod = _pod(render({"hostNetwork": True}))
    assert (pod["hostNetwork"], pod["dnsPolicy"]) == (True, "ClusterFirstWithHostNet")
    pod = _pod(render({"hostNetwork": True, "dnsPolicy": "Default"}))
    assert pod["dnsPolicy"] == "Default"


def _pod(objects: list[dict[str, Any]]) -> dict[str, Any]:
    pod: dict[str, Any] = only(objects, "Deployment")["spec"]["template"]["spec"]
    return pod


def _is_hook(object_: dict[str, Any]) -> bool:
    return "helm.sh/hook" in object_["metadata"].get("annotations", {})


def _tls(values: dict[str, Any]) -> str | None:
    volumes = _pod(render(values))["volumes"]
    return next((each["secret"]["secretName"] for each in volumes if each["name"] == "tls"), None)


def _webhook(objects: list[dict[str, Any]]) -> dict[str, Any]:
    [webhook] = only(objects, "ValidatingWebhookConfiguration")["webhooks"]
    found: dict[str, Any] = webhook
    return found
