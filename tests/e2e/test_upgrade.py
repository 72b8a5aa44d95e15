"""The chart upgraded from one set of values to another, while its pods run."""

from __future__ import annotations

from typing import Any

from tests.e2e.cluster import Cluster, until
from tests.e2e.pod import NAME, NAMESPACE
from tests.e2e.release import Release

_CHANGED: dict[str, Any] = {
    "replicas": 3,
    "enforce": "audit",
    "webhook": {"failurePolicy": "Fail", "timeoutSeconds": 15, "excludedNamespaces": ["x"]},
    "policy": {"enforce": "warn"},
    "podDisruptionBudget": {"enabled": False},
}


def test_what_celvet_wrote_survives_an_upgrade(cluster: Cluster, release: Release) -> None:
    bundle, secret = release.ca_bundle(), _secret(cluster)
    assert bundle
    release.upgrade(**_CHANGED)
    webhook = release.webhook()
    assert (webhook["failurePolicy"], webhook["timeoutSeconds"]) == ("Fail", 15)
    excluded = ["x", "flux-system", NAMESPACE]  # under `Fail`, what repairs the cluster too
    assert webhook["namespaceSelector"]["matchExpressions"][0]["values"] == excluded
    deployment = cluster.get("deployment", NAME, "--namespace", NAMESPACE)
    assert deployment["spec"]["replicas"] == 3
    assert not cluster.good("get", "poddisruptionbudget", "--namespace", NAMESPACE)
    assert (release.ca_bundle(), _secret(cluster)) == (bundle, secret)


def test_running_pods_follow_the_policy(release: Release) -> None:
    release.upgrade(**_CHANGED)
    release.refresh()
    until(lambda: release.tried().status == 0, release.log)
    assert any("[celvet: cel-syntax]" in each for each in release.tried().warnings)

    release.upgrade()
    release.refresh()
    until(release.answers, release.log)


def test_the_secret_goes_with_its_mode(cluster: Cluster, release: Release) -> None:
    release.upgrade(certificates={"mode": "certManager"})
    names = cluster.good("get", "secret,role,rolebinding", "-o", "name", "-n", NAMESPACE)
    assert f"secret/{NAME}-tls" not in names
    assert "role" not in names, names
    release.upgrade()
    until(lambda: _secret(cluster) != {}, release.log)
    until(release.answers, release.log)


def _secret(cluster: Cluster) -> dict[str, str]:
    data: dict[str, str] = cluster.get("secret", f"{NAME}-tls", "-n", NAMESPACE).get("data", {})
    return data
