"""The stored objects that the webhook would deny, before it denies anything."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.cluster import Cluster, placed, until
from tests.e2e.crds import anything
from tests.e2e.pod import NAME
from tests.e2e.release import Release
from tests.webhook.reviews import kustomization

_PROFILE = {
    "apiVersion": "config.projectsveltos.io/v1beta1",
    "kind": "ClusterProfile",
    "metadata": {"name": "stored-in-the-cluster"},
    "spec": {
        "validateHealths": [
            {
                "name": "a",
                "featureID": "Resources",
                "group": "apps",
                "version": "v1",
                "kind": "Deployment",
                "evaluateCEL": [{"name": "a", "rule": "status.a =="}],
            }
        ]
    },
}


def test_what_is_stored_and_would_be_denied(
    cluster: Cluster, tmp_path: Path, namespace: str
) -> None:
    for scope, kind in (("Namespaced", "Report"), ("Cluster", "ClusterReport")):
        cluster.good("apply", "-f-", given=[anything("openreports.io", "v1alpha1", kind, scope)])
        crd = f"crd/{kind.lower()}s.openreports.io"
        cluster.good("wait", "--for=condition=Established", crd)
    cluster.good("apply", "-f-", given=[_PROFILE])
    bad = kustomization("status.phase == ")
    for name in ("stored-before", "ignored-namespace"):
        cluster.good("create", "namespace", f"{namespace}-{name}")
        cluster.good("apply", "-f-", given=[placed(bad, f"{namespace}-{name}", name)])
    label = (f"{namespace}-ignored-namespace", "celvet.dev/ignore=")
    cluster.good("label", "namespace", *label)
    given = {"enabled": True, "reports": "openreports.io"}
    with Release.installed(cluster, tmp_path, enforce="audit", audit=given) as release:
        release.start(f"{NAME}-0")
        series = f'namespace="{namespace}-stored-before"}} 1.0'
        until(lambda: series in release.metrics(f"{NAME}-0"), release.log)
        assert f'namespace="{namespace}-ignored' not in release.metrics(f"{NAME}-0")
        place = ("--namespace", f"{namespace}-stored-before")
        report = until(
            lambda: cluster.kubectl("get", "report", "celvet-admission", *place, "-o", "yaml").out,
            release.log,
        )
        assert "name: stored-before" in report
        assert "rule: cel-syntax" in report
        get = ("get", "clusterreport", "celvet-admission", "-o", "yaml")
        report = until(lambda: cluster.kubectl(*get).out, release.log)
        assert "name: stored-in-the-cluster" in report
    cluster.good("delete", "clusterprofile", "stored-in-the-cluster")
    for name in ("stored-before", "ignored-namespace"):
        cluster.good("delete", "kustomization", name, "--namespace", f"{namespace}-{name}")
