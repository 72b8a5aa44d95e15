"""Certificates as the API server sees them: created, renewed, rotated, repaired, or from others."""

from __future__ import annotations

import base64
import json
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from celvet.certs.clock import local_now
from celvet.certs.pki.authority import new_authority
from celvet.certs.pki.pair import Pair
from celvet.certs.pki.policy import RenewalPolicy
from tests.e2e.cluster import Cluster, until
from tests.e2e.pod import NAME, NAMESPACE
from tests.e2e.release import Release
from tests.webhook.serving import CELVET

_SECRET = f"{NAME}-tls"
_BEGIN = "-----BEGIN CERTIFICATE-----"


def _entry(cluster: Cluster, name: str) -> str:
    return base64.b64decode(_data(cluster)[name]).decode()


def _data(cluster: Cluster) -> dict[str, str]:
    data: dict[str, str] = cluster.get("secret", _SECRET, "--namespace", NAMESPACE).get("data", {})
    return data


def _write(cluster: Cluster, **entries: str) -> None:
    patch = json.dumps(
        {"stringData": {key.replace("_", "."): text for key, text in entries.items()}}
    )
    cluster.good("patch", "secret", _SECRET, "--namespace", NAMESPACE, "-p", patch)


def rotate(cluster: Cluster, *options: str) -> None:
    """Replace the certificate of the release, or its authority."""
    place = ["--secret", f"{NAMESPACE}/{_SECRET}", "--kubeconfig", str(cluster.kubeconfig)]
    command = [str(CELVET), "certs", "rotate", *place, *options]
    subprocess.run(command, check=True, capture_output=True)


def _served(release: Release) -> int:
    """How many certificates the pods have taken into use."""
    return release.log().count("serving a new certificate")


def test_the_certificate_is_replaced(cluster: Cluster, release: Release) -> None:
    before, served = _entry(cluster, "tls.crt"), _served(release)
    rotate(cluster)
    assert _entry(cluster, "tls.crt") != before
    until(lambda: _served(release) == served + 2, release.log)
    assert release.answers_many()


def test_the_authority_is_replaced(cluster: Cluster, release: Release) -> None:
    before, certificate = release.ca_bundle(), _entry(cluster, "tls.crt")
    served = _served(release)
    rotate(cluster, "--authority")
    until(lambda: release.ca_bundle().count(_BEGIN) == 2, release.log)
    assert before.strip() in release.ca_bundle()
    assert _entry(cluster, "tls.crt") == certificate
    assert release.answers()

    _announce_long_ago(cluster)
    until(lambda: _served(release) == served + 2, release.log)
    assert _entry(cluster, "tls.crt") != certificate
    assert release.answers_many()


def _announce_long_ago(cluster: Cluster) -> None:
    """Let the time pass for which an authority is announced before it signs."""
    state = json.loads(_entry(cluster, "state.json"))
    state["announced"] = (datetime.now(UTC) - timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M:%SZ")
    _write(cluster, state_json=json.dumps(state))


@pytest.mark.parametrize("damage", ["", "another authority"])
def test_the_ca_bundle_is_repaired(damage: str, cluster: Cluster, release: Release) -> None:
    right = release.ca_bundle()
    release.set_ca_bundle(_authority().certificate_pem.decode() if damage else "")
    until(lambda: release.ca_bundle() == right, release.log)
    until(release.answers, release.log)
    assert release.ca_bundle() == right


def test_a_damaged_secret_is_repaired(cluster: Cluster, release: Release) -> None:
    _write(cluster, tls_key="damaged")
    until(lambda: _entry(cluster, "tls.key") != "damaged", release.log)
    until(release.answers, release.log)
    assert release.answers_many()


def test_a_deleted_secret_comes_back_with_the_chart(cluster: Cluster, release: Release) -> None:
    cluster.good("delete", "secret", _SECRET, "--namespace", NAMESPACE)
    until(lambda: f"cannot create Secret `{NAMESPACE}/{_SECRET}`" in release.log(), release.log)
    assert release.answers_many()
    release.upgrade()
    until(lambda: bool(_data(cluster).get("tls.crt")), release.log)
    until(release.answers_many, release.log)


_MAY = [
    ("get", f"secret/{_SECRET}"),
    ("patch", f"secret/{_SECRET}"),
    ("get", f"validatingwebhookconfiguration/{NAME}"),
    ("patch", f"validatingwebhookconfiguration/{NAME}"),
]
_MAY_NOT = [
    ("get", "secret/other"),
    ("list", "secrets"),
    ("create", "secrets"),
    ("delete", f"secret/{_SECRET}"),
    ("get", "configmaps"),
    ("get", "kustomizations"),
    ("patch", "validatingwebhookconfiguration/other"),
    ("list", "validatingwebhookconfigurations"),
    ("delete", f"validatingwebhookconfiguration/{NAME}"),
]


@pytest.mark.usefixtures("release")
@pytest.mark.parametrize(("verb", "what"), _MAY + _MAY_NOT)
def test_the_rights_are_the_least(verb: str, what: str, cluster: Cluster) -> None:
    account = f"--as=system:serviceaccount:{NAMESPACE}:{NAME}"
    told = cluster.kubectl("auth", "can-i", verb, what, account, "--namespace", NAMESPACE)
    assert told.out.strip() == ("yes" if (verb, what) in _MAY else "no"), told.err


def _authority() -> Pair:
    return new_authority(local_now(), RenewalPolicy())
