"""Certificates from elsewhere: a Secret of the user, and what cert-manager would write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.certs.clock import local_now
from celvet.certs.pki.authority import new_authority
from celvet.certs.pki.names import Names
from celvet.certs.pki.pair import Pair
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.pki.signing import new_leaf
from tests.e2e.cluster import Cluster, Document, until
from tests.e2e.pod import NAME, NAMESPACE
from tests.e2e.release import Release


@pytest.mark.parametrize("mode", ["secret", "certManager"])
def test_certificates_of_others(mode: str, cluster: Cluster, tmp_path: Path) -> None:
    signer = new_authority(local_now(), RenewalPolicy())
    name = "given" if mode == "secret" else f"{NAME}-certificate"
    authority = signer.certificate_pem.decode()
    values: Any = {"mode": mode, "secret": {"name": name, "caBundle": authority}}
    with Release.installed(cluster, tmp_path, certificates=values) as release:
        if mode == "certManager":
            _inject(cluster, release, authority)
        cluster.good("apply", "-f-", given=[_secret(name, signer)])
        release.serve(replicas=1)

        cluster.good("apply", "-f-", given=[_secret(name, signer)])
        release.refresh()
        until(lambda: release.log().count("serving a new certificate") == 2, release.log)
        assert release.answers()


def _inject(cluster: Cluster, release: Release, authority: str) -> None:
    """What cert-manager's injector does, by the annotation that it looks for."""
    configuration = cluster.get("validatingwebhookconfiguration", NAME)
    source = configuration["metadata"]["annotations"]["cert-manager.io/inject-ca-from"]
    certificate = cluster.get("certificate", source.partition("/")[2], "--namespace", NAMESPACE)
    assert certificate["spec"]["secretName"] == f"{NAME}-certificate"
    assert certificate["spec"]["dnsNames"] == [f"{NAME}.{NAMESPACE}.svc"]
    release.set_ca_bundle(authority)


def _secret(name: str, signer: Pair) -> Document:
    names = Names.of_service(NAME, NAMESPACE)
    leaf = new_leaf(signer, names, local_now(), RenewalPolicy())
    texts = {"tls.crt": leaf.certificate_pem.decode(), "tls.key": leaf.key.decode()}
    metadata = {"name": name, "namespace": NAMESPACE}
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": metadata}
    return {**secret, "type": "kubernetes.io/tls", "stringData": texts}
