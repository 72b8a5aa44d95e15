"""A real API server on top of a real etcd, as processes of this machine.

Nothing else of a control plane runs: no controllers, no kubelet. Services lead to
what their EndpointSlices name (aggregator routing), which the tests write.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import yaml
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.e2e.cluster import Cluster, until
from tests.ports import free_ports
from tests.webhook.serving import authority, write_pair

_TOKEN = "administrator"


@contextmanager
def control_plane(programs: Path, directory: Path) -> Iterator[Path]:
    """A kubeconfig of an administrator, while the API server runs."""
    etcd, peer, port = free_ports(3)
    signer = authority()
    write_pair(directory, signer)
    (directory / "ca.crt").write_bytes(signer.certificate_pem)
    (directory / "tokens.csv").write_text(f'{_TOKEN},admin,admin,"system:masters"\n')
    (directory / "accounts.key").write_bytes(_key())
    server = {"server": f"https://127.0.0.1:{port}", "certificate-authority": "ca.crt"}
    kubeconfig = write_kubeconfig(directory / "admin.yaml", server, _TOKEN)
    with ExitStack() as stack:
        for command in (_etcd(etcd, peer), _api_server(etcd, port)):
            stack.enter_context(process([str(programs / command[0]), *command[1:]], directory))
        cluster = Cluster(programs, kubeconfig)
        until(lambda: cluster.kubectl("get", "--raw", "/readyz").status == 0)
        until(lambda: cluster.kubectl("get", "namespace", "default").status == 0)
        yield kubeconfig


def write_kubeconfig(path: Path, server: dict[str, Any], token: str) -> Path:
    """A kubeconfig with a token."""
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "e2e", "cluster": server}],
        "users": [{"name": "e2e", "user": {"token": token}}],
        "contexts": [{"name": "e2e", "context": {"cluster": "e2e", "user": "e2e"}}],
        "current-context": "e2e",
    }
    path.write_text(yaml.safe_dump(document))
    return path


@contextmanager
def process(
    command: list[str], directory: Path, environment: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A process with its log in the directory, ended at the end."""
    log = directory / f"{Path(command[0]).name}.log"
    with log.open("ab") as file:
        running = subprocess.Popen(
            command, cwd=directory, env=environment, stdout=file, stderr=file
        )
    try:
        yield running
    finally:
        running.terminate()
        try:
            running.wait(30)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()


def _etcd(port: int, peer: int) -> list[str]:
    url = f"http://127.0.0.1:{port}"
    return [
        *("etcd", "--data-dir=etcd", f"--listen-client-urls={url}", "--unsafe-no-fsync"),
        *(f"--advertise-client-urls={url}", f"--listen-peer-urls=http://127.0.0.1:{peer}"),
    ]


def _api_server(etcd: int, port: int) -> list[str]:
    return [
        *("kube-apiserver", f"--etcd-servers=http://127.0.0.1:{etcd}", f"--secure-port={port}"),
        *("--bind-address=127.0.0.1", "--cert-dir=generated", "--tls-cert-file=tls.crt"),
        *("--tls-private-key-file=tls.key", "--service-account-issuer=https://kubernetes"),
        *("--service-account-key-file=accounts.key", "--token-auth-file=tokens.csv"),
        *("--service-account-signing-key-file=accounts.key", "--authorization-mode=RBAC"),
        *("--service-cluster-ip-range=10.0.0.0/24", "--enable-aggregator-routing=true"),
    ]


def _key() -> bytes:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
