"""Expressions judged by the CRDs of the API server, which the chart gives the right to read."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.cluster import Cluster, placed, until
from tests.e2e.release import Release
from tests.webhook.reviews import kustomization


def test_a_field_that_the_cluster_s_kind_has_not(
    cluster: Cluster, tmp_path: Path, namespace: str
) -> None:
    document = placed(kustomization("spec.secretNam == 'tls'"), namespace, "apps")
    document["spec"]["healthCheckExprs"][0].update(
        apiVersion="cert-manager.io/v1", kind="Certificate"
    )
    with Release.installed(cluster, tmp_path, crdsFromApiServer=True) as release:
        release.serve(replicas=1)

        def warnings() -> list[str]:
            applied = cluster.apply(document, options=["--dry-run=server"])
            return [each for each in applied.warnings if "secretNam" in each]

        assert all("[celvet: crd-field]" in each for each in until(warnings, release.log))
