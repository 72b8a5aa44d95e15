"""The rendered chart, checked by a real API server; nothing is stored."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.charts.rendering import CHART, VALUES
from tests.e2e.cluster import Cluster
from tests.e2e.pod import NAME, NAMESPACE


@pytest.fixture(scope="module")
def namespace(cluster: Cluster) -> str:
    """The release's namespace, which warns of and refuses pods that may more than they need."""
    strict = {f"pod-security.kubernetes.io/{each}": "restricted" for each in ("enforce", "warn")}
    # No controller makes the default one here, and a dry run not the one of the pod that tests.
    accounts = [
        {"kind": "ServiceAccount", "metadata": {"name": name, "namespace": NAMESPACE}}
        for name in ("default", "celvet-tester")
    ]
    documents = [
        {"kind": "Namespace", "metadata": {"name": NAMESPACE, "labels": strict}},
        *accounts,
    ]
    given = [{"apiVersion": "v1", **each} for each in documents]
    cluster.good("apply", "--server-side", "-f-", given=given)
    return NAMESPACE


@pytest.mark.parametrize("name", VALUES)
def test_the_api_server_accepts_what_is_rendered(
    name: str, cluster: Cluster, namespace: str, tmp_path: Path
) -> None:
    (tmp_path / "values.yaml").write_text(yaml.safe_dump(VALUES[name]))
    given = (NAME, str(CHART), "--namespace", namespace, "--values", str(tmp_path / "values.yaml"))
    documents = list(yaml.safe_load_all(cluster.helm("template", *given)))
    for each in documents:
        if each["kind"] == "Pod":
            each["spec"]["serviceAccountName"] = "celvet-tester"
    told = cluster.kubectl(
        "create", "--dry-run=server", "--validate=strict", "-f-", given=documents
    )
    assert told.err == ""
    assert told.out.count("created (server dry run)") == len(documents)


def test_the_plain_manifests_are_accepted(cluster: Cluster, namespace: str) -> None:
    script = [str(CHART.parent / "manifests.sh"), str(CHART / "values.yaml")]
    path = f"{cluster.programs}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    run = subprocess.run(script, check=True, capture_output=True, text=True, env=environment)
    documents = list(yaml.safe_load_all(run.stdout))
    assert documents[0]["metadata"]["name"] == namespace
    assert "Deployment" in {each["kind"] for each in documents}
    options = ("--server-side", "--dry-run=server", "--validate=strict")
    assert cluster.apply(*documents, options=options).err == ""
