"""The command of the chart's CronJob, with the rights of its own service account."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.charts.rendering import CHART
from tests.e2e.cluster import Cluster, Document
from tests.e2e.crds import anything
from tests.e2e.pod import NAME, NAMESPACE, identity

_CRONJOB = f"{NAME}-reports"
_MOST_BYTES = 256 * 1024


@pytest.fixture
def run(cluster: Cluster, tmp_path: Path) -> Callable[[], str]:
    """A run of the CronJob; no kubelet is there, so its arguments go to a process."""
    values = {"reports": {"enabled": True}, "image": {"tag": "test"}}
    (tmp_path / "values.yaml").write_text(yaml.safe_dump(values))
    place = ("--namespace", NAMESPACE, "--values", str(tmp_path / "values.yaml"))
    documents = yaml.safe_load_all(cluster.helm("template", NAME, str(CHART), *place))
    own = [each for each in documents if each["metadata"]["name"].startswith(_CRONJOB)]
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
    report = anything("openreports.io", "v1alpha1", "Report")
    cluster.good("apply", "--server-side", "-f-", given=[namespace, report, *own])
    cluster.good("wait", "--for=condition=Established", "crd/reports.openreports.io")
    _aggregate(cluster, "view")
    job = cluster.get("cronjob", _CRONJOB, "--namespace", NAMESPACE)
    pod = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    account = identity(cluster, tmp_path, pod["serviceAccountName"])
    [container] = pod["containers"]
    command = [str(Path(sys.executable).with_name("celvet")), *container["args"]]
    command.append(f"--kubeconfig={account}")
    return lambda: _last_line(command)


def test_reports_say_what_is_wrong_and_where(
    cluster: Cluster, namespace: str, run: Callable[[], str]
) -> None:
    calm = f"{namespace}-calm"
    cluster.good("create", "namespace", calm)
    _apply(cluster, [_ready("fine", calm), *(_failed(f"app-{at}", namespace) for at in range(300))])
    assert run() == "1 reports: 1 written, 0 removed"
    [report] = _reports(cluster, namespace)
    assert _reports(cluster, calm) == []
    [result, *_] = report["results"]
    assert (result["rule"], result["properties"]["outlook"]) == ("build", "needs-change")
    left_out = int(report["metadata"]["annotations"]["celvet.dev/left-out"])
    assert len(report["results"]) + left_out == 300
    assert len(json.dumps(report)) <= _MOST_BYTES
    assert run() == "1 reports: 0 written, 0 removed"
    [again] = _reports(cluster, namespace)
    assert again["metadata"]["resourceVersion"] == report["metadata"]["resourceVersion"]
    _apply(cluster, [_ready(f"app-{at}", namespace) for at in range(300)])
    assert run() == "0 reports: 0 written, 1 removed"
    assert _reports(cluster, namespace) == []


def _reports(cluster: Cluster, namespace: str) -> list[Any]:
    items: list[Any] = cluster.get("reports", "--namespace", namespace)["items"]
    return items


def _last_line(command: Sequence[str]) -> str:
    """What a run prints at the end, after the kinds that it may not read."""
    finished = subprocess.run(command, check=False, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
    return finished.stderr.splitlines()[-1]


def _aggregate(cluster: Cluster, name: str) -> None:
    """Give an aggregated ClusterRole its rules, as a controller does that does not run here."""
    label = f"rbac.authorization.k8s.io/aggregate-to-{name}=true"
    roles = cluster.get("clusterroles", "--selector", label)["items"]
    rules = json.dumps({"rules": [rule for role in roles for rule in role["rules"]]})
    cluster.good("patch", "clusterrole", name, "--type=merge", f"--patch={rules}")


def _apply(cluster: Cluster, documents: Sequence[Document]) -> None:
    for part in ((), ("--subresource=status",)):
        cluster.good("apply", "--server-side", *part, "-f-", given=documents)


def _ready(name: str, namespace: str) -> Document:
    return _kustomization(name, namespace, "True", "ReconciliationSucceeded", "Applied revision")


def _failed(name: str, namespace: str) -> Document:
    message = f"kustomize build failed: accumulating resources: no `{name}.yaml` " + 900 * "x"
    return _kustomization(name, namespace, "False", "BuildFailed", message)


def _kustomization(name: str, namespace: str, status: str, reason: str, message: str) -> Document:
    condition = {
        "type": "Ready",
        "status": status,
        "reason": reason,
        "message": message,
        "lastTransitionTime": "2026-11-28T10:00:00Z",
    }
    return {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"interval": "10m", "path": "./", "prune": True},
        "status": {"conditions": [condition]},
    }
