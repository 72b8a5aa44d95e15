"""The ways in which people and controllers write an object, and the answer to each."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.e2e.cluster import Cluster, Told, placed
from tests.e2e.pod import NAME
from tests.e2e.release import Release
from tests.webhook.reviews import kustomization

GOOD = kustomization("status.phase == 'Ready'")
BAD = kustomization("status.phase == ")
WORSE = kustomization("status.phase = 'Ready'")
_FINALIZER = "finalizers.fluxcd.io"
_OLD = "written-before"
_OLD_ONES = ("label", "finalizer", "status", "deletion", "interval", "worse", "better")


@pytest.fixture(scope="module")
def old(cluster: Cluster) -> None:
    """Bad objects, in the cluster before celvet is."""
    cluster.good("create", "namespace", _OLD)
    for name in _OLD_ONES:
        document = placed(BAD, _OLD, name)
        document["metadata"]["finalizers"] = [_FINALIZER]
        cluster.good("apply", "-f-", given=[document])


@pytest.fixture(scope="module")
def release(old: None, release: Release) -> Release:
    return release


def _patch(cluster: Cluster, name: str, patch: Any, *options: str) -> Told:
    place = ("kustomization", name, "--namespace", _OLD)
    return cluster.kubectl("patch", *place, "--type=merge", "-p", json.dumps(patch), *options)


def _denied(told: Told) -> bool:
    """Whether kubectl shows a refusal, as it shows those of the API server itself."""
    refused = told.err.splitlines()[-1].startswith("The Kustomization ")
    return told.status == 1 and refused and "[celvet: cel-syntax]" in told.err


def _silent(told: Told) -> bool:
    return (told.status, told.err) == (0, "")


@pytest.mark.usefixtures("release")
def test_create_and_update(cluster: Cluster, namespace: str) -> None:
    good, bad = (placed(each, namespace, "apps") for each in (GOOD, BAD))
    assert _denied(cluster.kubectl("create", "-f-", given=[bad]))
    assert _silent(cluster.kubectl("create", "-f-", given=[good]))
    assert _denied(cluster.kubectl("replace", "-f-", given=[bad]))
    assert _denied(cluster.apply(bad))
    stored = cluster.get("kustomization", "apps", "--namespace", namespace)
    assert stored["spec"] == good["spec"]


@pytest.mark.usefixtures("release")
@pytest.mark.parametrize("options", [["--server-side"], ["--dry-run=server"]])
def test_server_side_apply_and_dry_run(
    options: list[str], cluster: Cluster, namespace: str
) -> None:
    assert _denied(cluster.apply(placed(BAD, namespace, "apps"), options=options))
    assert _silent(cluster.apply(placed(GOOD, namespace, "apps"), options=options))


@pytest.mark.usefixtures("release")
def test_an_older_version_is_judged_alike(cluster: Cluster, namespace: str) -> None:
    older = {**placed(BAD, namespace, "apps"), "apiVersion": "kustomize.toolkit.fluxcd.io/v1beta2"}
    assert _denied(cluster.apply(older))


@pytest.mark.usefixtures("release")
def test_what_was_wrong_may_be_labelled_and_finalized(cluster: Cluster) -> None:
    labels = {"metadata": {"labels": {"team": "a"}}}
    assert _silent(_patch(cluster, "label", labels))
    assert _silent(_patch(cluster, "finalizer", {"metadata": {"finalizers": None}}))


@pytest.mark.usefixtures("release")
def test_the_status_of_what_was_wrong_may_be_written(cluster: Cluster) -> None:
    assert _silent(_patch(cluster, "status", {"status": {"phase": "x"}}, "--subresource=status"))


@pytest.mark.usefixtures("release")
def test_what_was_wrong_can_be_deleted(cluster: Cluster) -> None:
    place = ("kustomization", "deletion", "--namespace", _OLD)
    assert _silent(cluster.kubectl("delete", *place, "--wait=false"))
    assert cluster.get(*place)["metadata"]["deletionTimestamp"]
    assert _silent(_patch(cluster, "deletion", {"spec": {"interval": "2h"}}))
    assert _silent(_patch(cluster, "deletion", {"metadata": {"finalizers": None}}))
    assert "NotFound" in cluster.kubectl("get", *place).err


@pytest.mark.usefixtures("release")
def test_old_errors_warn_and_new_ones_deny(cluster: Cluster) -> None:
    told = _patch(cluster, "interval", {"spec": {"interval": "2h"}})
    assert told.status == 0
    assert any("[celvet: cel-syntax]" in each for each in told.warnings), told.err
    assert _denied(_patch(cluster, "worse", {"spec": WORSE["spec"]}))
    assert _silent(_patch(cluster, "better", {"spec": GOOD["spec"]}))


@pytest.mark.usefixtures("release")
def test_a_change_in_a_large_object_is_seen(cluster: Cluster, namespace: str) -> None:
    """The condition that compares the two must not cost more than the API server allows."""
    good, bad = (placed(each, namespace, "large") for each in (GOOD, BAD))
    kind = {key: good["spec"]["healthCheckExprs"][0][key] for key in ("apiVersion", "kind")}
    checks = [{**kind, "name": f"{'x' * 200}-{n}"} for n in range(2000)]
    for each in (good, bad):
        each["spec"] = {**each["spec"], "wait": False, "healthChecks": checks}
    assert _silent(cluster.apply(good, options=["--server-side"]))
    assert _denied(cluster.apply(bad, options=["--server-side"]))


@pytest.mark.parametrize("excluded", ["kube-system", NAME])
def test_excluded_namespaces(excluded: str, cluster: Cluster, release: Release) -> None:
    seen = _reviews(release)
    assert _silent(cluster.apply(placed(BAD, excluded, "apps")))
    assert _reviews(release) == seen


@pytest.mark.usefixtures("release")
def test_metadata_alone_is_not_a_request(cluster: Cluster, release: Release) -> None:
    seen = _reviews(release)
    assert _silent(_patch(cluster, "label", {"metadata": {"annotations": {"a": "b"}}}))
    assert _reviews(release) == seen


def _reviews(release: Release) -> int:
    """How many reviews all pods have answered."""
    lines = "\n".join(map(release.metrics, release.pods)).splitlines()
    counts = (line for line in lines if line.startswith("celvet_requests_total{"))
    return sum(int(float(line.rpartition(" ")[2])) for line in counts)
