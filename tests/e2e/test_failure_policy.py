"""What the API server does while no pod answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.cluster import Cluster, placed
from tests.e2e.pod import NAME
from tests.e2e.release import Release
from tests.webhook.reviews import kustomization

_GOOD = kustomization("status.phase == 'Ready'")
_BAD = kustomization("status.phase == ")
_PLACE = ("kustomization", "stored", "--namespace")


@pytest.fixture(params=["Ignore", "Fail"])
def policy(
    request: pytest.FixtureRequest, cluster: Cluster, tmp_path: Path, namespace: str
) -> Iterator[str]:
    """A failure policy, an object `stored` in the namespace, and then no pod any more."""
    with Release.installed(cluster, tmp_path, webhook={"failurePolicy": request.param}) as release:
        release.serve(replicas=1)
        cluster.good("apply", "-f-", given=[placed(_GOOD, namespace, "stored")])
        release.crash(f"{NAME}-0")
        yield request.param


def test_an_expression_is_written(policy: str, cluster: Cluster, namespace: str) -> None:
    told = cluster.apply(placed(_BAD, namespace, "apps"))
    if policy == "Ignore":
        assert (told.status, told.err) == (0, "")
    else:
        assert told.status == 1
        assert 'failed calling webhook "expressions.celvet.dev"' in told.err


@pytest.mark.usefixtures("policy")
def test_what_cannot_be_wrong_does_not_wait_for_a_pod(cluster: Cluster, namespace: str) -> None:
    """Labels, finalizers, status, deletion: what a cluster needs in order to recover."""
    _merge(cluster, namespace, '{"metadata": {"labels": {"a": "b"}, "finalizers": ["a.dev/b"]}}')
    _merge(cluster, namespace, '{"status": {"phase": "x"}}', "--subresource=status")
    cluster.good("delete", *_PLACE, namespace, "--wait=false")
    _merge(cluster, namespace, '{"spec": {"interval": "2h"}}')
    _merge(cluster, namespace, '{"metadata": {"finalizers": null}}')
    assert "NotFound" in cluster.kubectl("get", *_PLACE, namespace).err


def _merge(cluster: Cluster, namespace: str, patch: str, *options: str) -> None:
    cluster.good("patch", *_PLACE, namespace, "--type=merge", "--patch", patch, *options)
