"""kustomize-controller as a process of this machine, and the source that it deploys from.

There is no source-controller: a GitRepository gets the `status.artifact` that it would write, which
leads to an archive on 127.0.0.1.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
import os
import tarfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.e2e.cluster import Cluster
from tests.e2e.control_plane import free_ports, process

NAMESPACE = "flux-system"
SOURCE = "fleet"
PROGRAM = "kustomize-controller"
_FIXED = "2026-01-01T00:00:00Z"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Source:
    """The GitRepository `fleet`, and the server of its archive."""

    cluster: Cluster
    directory: Path
    port: int

    def publish(self, files: Mapping[str, str]) -> str:
        """Make files the content of the source; gives the revision."""
        archive = _archive(files)
        digest = hashlib.sha256(archive).hexdigest()
        (self.directory / f"{digest}.tar.gz").write_bytes(archive)
        revision = f"main@sha1:{hashlib.sha1(archive).hexdigest()}"
        repository = {
            "apiVersion": "source.toolkit.fluxcd.io/v1",
            "kind": "GitRepository",
            "metadata": {"name": SOURCE, "namespace": NAMESPACE},
            "spec": {"interval": "1h", "url": "https://127.0.0.1/nowhere"},
        }
        self.cluster.good("apply", "-f-", given=[repository])
        artifact = {
            "digest": f"sha256:{digest}",
            "lastUpdateTime": _FIXED,
            "path": f"{digest}.tar.gz",
            "revision": revision,
            "size": len(archive),
            "url": f"http://127.0.0.1:{self.port}/{digest}.tar.gz",
        }
        ready = {"type": "Ready", "status": "True", "reason": "Succeeded", "message": "stored"}
        condition = {**ready, "lastTransitionTime": _FIXED, "observedGeneration": 1}
        status = {"observedGeneration": 1, "artifact": artifact, "conditions": [condition]}
        write_status(self.cluster, "gitrepository", SOURCE, NAMESPACE, status)
        return revision


def write_status(
    cluster: Cluster, resource: str, name: str, namespace: str, status: Mapping[str, object]
) -> None:
    """Write a status as the controller of the object would."""
    patch = json.dumps({"status": status})
    place = (resource, name, "--namespace", namespace)
    cluster.good("patch", *place, "--subresource=status", "--type=merge", "--patch", patch)


@contextmanager
def source(cluster: Cluster, directory: Path) -> Iterator[Source]:
    """The source, while its archives are served from a directory."""
    handler = functools.partial(_Quiet, directory=str(directory))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Source(cluster, directory, server.server_address[1])
        server.shutdown()


@contextmanager
def controller(cluster: Cluster, directory: Path, *flags: str) -> Iterator[None]:
    """The controller, for as long as the context lasts; its log is in the directory."""
    metrics, health = free_ports(2)
    command = [
        str(cluster.programs / PROGRAM),
        f"--metrics-addr=127.0.0.1:{metrics}",
        f"--health-addr=127.0.0.1:{health}",
        "--concurrent=100",
        "--requeue-dependency=5s",
        "--kube-api-qps=200",
        "--kube-api-burst=400",
        *flags,
    ]
    (directory / "tmp").mkdir(exist_ok=True)
    environment = {
        **os.environ,
        "KUBECONFIG": str(cluster.kubeconfig),
        "RUNTIME_NAMESPACE": NAMESPACE,
        "TMPDIR": str(directory / "tmp"),
    }
    with process(command, directory, environment):
        yield


def _archive(files: Mapping[str, str]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for path, text in files.items():
            content = text.encode()
            member = tarfile.TarInfo(path)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()
