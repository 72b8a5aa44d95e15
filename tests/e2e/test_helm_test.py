"""What `helm test` runs, with the rights that the chart gives it, against a real API server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml

from celvet.certs.clock import local_now
from celvet.certs.pki.authority import new_authority
from celvet.certs.pki.policy import RenewalPolicy
from tests.charts.rendering import CHART
from tests.e2e.cluster import Cluster, Document, until
from tests.e2e.pod import NAME, NAMESPACE
from tests.e2e.release import Release
from tests.tables import read_table

_UNASKED = "the API server did not ask celvet, or got no answer"


def _tested(cluster: Cluster, directory: Path, **values: object) -> tuple[int, str]:
    """Status and output of the container of the test's pod, as its service account."""
    directory.mkdir(exist_ok=True)
    file = directory / "values.yaml"
    file.write_text(yaml.safe_dump(values))
    given = ("template", NAME, str(CHART), "--namespace", NAMESPACE, "--values", str(file))
    shown = ("--show-only", "templates/tests/answers.yaml")
    objects: list[Document] = list(yaml.safe_load_all(cluster.helm(*given, *shown)))
    (pod,) = (each for each in objects if each["kind"] == "Pod")
    cluster.good("apply", "-f-", given=[each for each in objects if each is not pod])
    account = pod["spec"]["serviceAccountName"]
    token = cluster.good("create", "token", account, "--namespace", NAMESPACE)
    config: Document = read_table(cluster.kubeconfig)
    admin = config["clusters"][0]["cluster"]
    authority = cluster.kubeconfig.parent / admin["certificate-authority"]
    (directory / "token").write_text(token)
    (directory / "ca.crt").write_bytes(authority.read_bytes())
    server = urlsplit(admin["server"])
    environment = {
        "ACCOUNT": str(directory),
        "KUBERNETES_SERVICE_HOST": str(server.hostname),
        "KUBERNETES_SERVICE_PORT": str(server.port),
    }
    _, option = pod["spec"]["containers"][0]["command"]
    run = subprocess.run(
        [sys.executable, option, *pod["spec"]["containers"][0]["args"]],
        check=False,
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], **environment},
    )
    return run.returncode, run.stdout + run.stderr


@pytest.mark.parametrize("enforce", ["deny", "warn"])
def test_it_passes_where_the_api_server_asks(
    enforce: str, cluster: Cluster, tmp_path: Path
) -> None:
    with Release.installed(cluster, tmp_path, enforce=enforce) as release:
        release.serve(replicas=1)
        status, output = _tested(cluster, tmp_path / "test", enforce=enforce)
        assert (status, "[celvet: cel-syntax]" in output) == (0, True), output
        status, output = _tested(
            cluster, tmp_path / "test", enforce="warn" if enforce == "deny" else "deny"
        )
        assert status == 1, output


def test_it_fails_where_the_api_server_has_no_client_certificate(
    cluster: Cluster, tmp_path: Path
) -> None:
    clients = new_authority(local_now(), RenewalPolicy()).certificate_pem.decode()
    authority = {"kind": "ConfigMap", "apiVersion": "v1", "data": {"ca.crt": clients}}
    metadata = {"name": "clients", "namespace": NAMESPACE}
    values = {"webhook": {"clientCA": {"configMap": "clients"}}}
    with Release.installed(cluster, tmp_path, **values) as release:
        cluster.good("apply", "-f-", given=[{**authority, "metadata": metadata}])
        release.start(f"{NAME}-0")
        until(release.ca_bundle, release.log)

        def unasked() -> bool:
            status, output = _tested(cluster, tmp_path / "test", **values)
            return status == 1 and _UNASKED in output

        until(unasked, release.log)
        verbose = release.metrics(f"{NAME}-0", "/readyz?verbose")
        assert "the API server needs an AdmissionConfiguration" in verbose
