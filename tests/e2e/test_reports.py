"""The command of the chart's CronJob, with the rights of its own service account."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
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


class Runner:
    """Runs what the CronJob has its pods run; no kubelet is there, so each is a process."""

    def __init__(self, cluster: Cluster, directory: Path) -> None:
        self.cluster = cluster
        self.directory = directory

    def install(self, **reports: Any) -> Callable[[], list[str]]:
        """Apply the CronJob of the chart; a run of all its pods, and the last line of each."""
        job = self._applied({"enabled": True, **reports})["spec"]["jobTemplate"]["spec"]
        pod = job["template"]["spec"]
        account = identity(self.cluster, self.directory, pod["serviceAccountName"])
        [container] = pod["containers"]
        celvet = str(Path(sys.executable).with_name("celvet"))
        # As the Job controller numbers the pods, and the kubelet their arguments.
        arguments = [
            [text.replace("$(JOB_COMPLETION_INDEX)", str(index)) for text in container["args"]]
            for index in range(job.get("completions", 1))
        ]
        assert job.get("parallelism", 1) == len(arguments)
        commands = [[celvet, *texts, f"--kubeconfig={account}"] for texts in arguments]
        return lambda: _last_lines(commands)

    def _applied(self, reports: Mapping[str, Any]) -> Document:
        values = {"reports": reports, "image": {"tag": "test"}}
        (self.directory / "values.yaml").write_text(yaml.safe_dump(values))
        place = ("--namespace", NAMESPACE, "--values", str(self.directory / "values.yaml"))
        documents = yaml.safe_load_all(self.cluster.helm("template", NAME, str(CHART), *place))
        own = [each for each in documents if each["metadata"]["name"].startswith(_CRONJOB)]
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
        report = anything("openreports.io", "v1alpha1", "Report")
        self.cluster.good("apply", "--server-side", "-f-", given=[namespace, report, *own])
        self.cluster.good("wait", "--for=condition=Established", "crd/reports.openreports.io")
        _aggregate(self.cluster, "view")
        return self.cluster.get("cronjob", _CRONJOB, "--namespace", NAMESPACE)


@pytest.fixture
def runner(cluster: Cluster, tmp_path: Path) -> Runner:
    return Runner(cluster, tmp_path)


def test_reports_say_what_is_wrong_and_where(
    cluster: Cluster, namespace: str, runner: Runner
) -> None:
    run = runner.install()
    calm = f"{namespace}-calm"
    cluster.good("create", "namespace", calm)
    _apply(cluster, [_ready("fine", calm), *(_failed(f"app-{at}", namespace) for at in range(300))])
    assert run() == ["1 reports: 1 written, 0 removed"]
    [report] = _reports(cluster, namespace)
    assert _reports(cluster, calm) == []
    [result, *_] = report["results"]
    assert (result["rule"], result["properties"]["outlook"]) == ("build", "needs-change")
    left_out = int(report["metadata"]["annotations"]["celvet.dev/left-out"])
    assert len(report["results"]) + left_out == 300
    assert len(json.dumps(report)) <= _MOST_BYTES
    assert run() == ["1 reports: 0 written, 0 removed"]
    [again] = _reports(cluster, namespace)
    assert again["metadata"]["resourceVersion"] == report["metadata"]["resourceVersion"]
    _apply(cluster, [_ready(f"app-{at}", namespace) for at in range(300)])
    assert run() == ["0 reports: 0 written, 1 removed"]
    assert _reports(cluster, namespace) == []


def test_the_pods_of_an_indexed_job_share_the_namespaces(
    cluster: Cluster, namespace: str, runner: Runner
) -> None:
    run = runner.install(shards=3)
    places = [f"{namespace}-{number}" for number in range(8)]
    for place in places:
        cluster.good("create", "namespace", place)
    _apply(cluster, [_failed("app", place) for place in places])
    lines = run()
    assert len(lines) == 3
    assert sum(int(line.split()[2]) for line in lines) == len(places)
    assert len(lines) == 3
    assert sorted(_reported_namespaces(cluster)) == places
    assert all("0 written, 0 removed" in line for line in run())
    _apply(cluster, [_ready("app", place) for place in places[1:]])
    assert sum(int(line.split()[4]) for line in run()) == len(places) - 1
    assert _reported_namespaces(cluster) == places[:1]


def _reported_namespaces(cluster: Cluster) -> list[str]:
    """Where reports are, as a reader merges those of all shards: by their label."""
    items = cluster.get("reports", "--all-namespaces", "--selector=celvet.dev/report=why")["items"]
    return [item["metadata"]["namespace"] for item in items]


def _reports(cluster: Cluster, namespace: str) -> list[Any]:
    items: list[Any] = cluster.get("reports", "--namespace", namespace)["items"]
    return items


def _last_lines(commands: Sequence[Sequence[str]]) -> list[str]:
    """What each of some runs side by side prints at the end, after what it may not read."""
    runs = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for command in commands]
    errors = [process.communicate()[1] for process in runs]
    assert [process.returncode for process in runs] == [0] * len(runs), errors
    return [error.splitlines()[-1] for error in errors]


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
