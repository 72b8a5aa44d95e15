"""Gives a process what a pod of the chart would get.

The command line comes from the Deployment in the cluster, policy and certificate from
the ConfigMap and the Secret, the identity is a token of the chart's own service
account: what the chart lacks, the process lacks.
"""

from __future__ import annotations

import base64
import socket
import sys
from pathlib import Path

from tests.e2e.cluster import Cluster, Document
from tests.e2e.control_plane import write_kubeconfig
from tests.tables import read_table

NAME = NAMESPACE = "celvet"
_CELVET = str(Path(sys.executable).with_name("celvet"))


def command(cluster: Cluster, directory: Path, port: int, metrics: int) -> list[str]:
    """The arguments in the Deployment, with what a container has to itself moved aside."""
    pod = _template(cluster)
    [container] = pod["containers"]
    arguments = "\n".join(container["args"])
    mount_all(cluster, directory)
    for mount in container["volumeMounts"]:
        arguments = arguments.replace(mount["mountPath"], str(directory / mount["name"]))
    moved = arguments.replace("--port=9443", f"--port={port}")
    moved = moved.replace("0.0.0.0:8080", f"127.0.0.1:{metrics}")
    given = moved.splitlines()
    if pod["automountServiceAccountToken"]:
        given.append(f"--kubeconfig={identity(cluster, directory, pod['serviceAccountName'])}")
    return [_CELVET, *given]


def mount_all(cluster: Cluster, directory: Path) -> None:
    """Write what each volume holds now into a directory of its name."""
    for volume in _template(cluster)["volumes"]:
        target: Path = directory / volume["name"]
        target.mkdir(exist_ok=True)
        for name, content in _entries(cluster, volume).items():
            (target / name).write_bytes(content)


def endpoints(name: str, port: int) -> Document:
    """An EndpointSlice of the Service, as its controller writes it."""
    return {
        "apiVersion": "discovery.k8s.io/v1",
        "kind": "EndpointSlice",
        "metadata": {
            "name": name,
            "namespace": NAMESPACE,
            "labels": {"kubernetes.io/service-name": NAME},
        },
        "addressType": "IPv4",
        "ports": [{"name": "webhook", "port": port, "protocol": "TCP"}],
        "endpoints": [{"addresses": [_own_address()], "conditions": {"ready": True}}],
    }


def _template(cluster: Cluster) -> Document:
    deployment = cluster.get("deployment", NAME, "--namespace", NAMESPACE)
    pod: Document = deployment["spec"]["template"]["spec"]
    return pod


def _entries(cluster: Cluster, volume: Document) -> dict[str, bytes]:
    """The files of a volume by name."""
    if "configMap" in volume:
        place = ("configmap", volume["configMap"]["name"], "--namespace", NAMESPACE)
        texts = cluster.get(*place)["data"]
        return {name: text.encode() for name, text in texts.items()}
    if "secret" in volume:
        place = ("secret", volume["secret"]["secretName"], "--namespace", NAMESPACE)
        data = cluster.get(*place)["data"]
        return {name: base64.b64decode(text) for name, text in data.items()}
    return {}


def identity(cluster: Cluster, directory: Path, account: str) -> Path:
    """A kubeconfig of the service account."""
    config: Document = read_table(cluster.kubeconfig)
    admin: dict[str, str] = config["clusters"][0]["cluster"]
    authority = cluster.kubeconfig.parent / admin["certificate-authority"]
    server = {"server": admin["server"], "certificate-authority": str(authority)}
    token = cluster.good("create", "token", account, "--namespace", NAMESPACE)
    return write_kubeconfig(directory / "account.yaml", server, token.strip())


def _own_address() -> str:
    """An address of this machine that is not a loopback: no endpoint may be one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing
        address: str = probe.getsockname()[0]
    return address
