"""The controllers as processes of this machine, and the sources that they deploy from.

There is no source-controller: a GitRepository gets the `status.artifact` that it would write, which
leads to an archive on 127.0.0.1, and so does a HelmChart.
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

import yaml

from tests.e2e.cluster import Cluster, Document
from tests.e2e.control_plane import process
from tests.ports import free_ports

NAMESPACE = "flux-system"
SOURCE = "fleet"
KUSTOMIZE, HELM, OPERATOR = "kustomize-controller", "helm-controller", "flux-operator"
NEWEST_KUSTOMIZE = "kustomize-controller-1.10"
_CLIENT = ("--kube-api-qps=200", "--kube-api-burst=400")
_FLAGS = {
    KUSTOMIZE: _CLIENT,
    NEWEST_KUSTOMIZE: _CLIENT,
    HELM: _CLIENT,
    # A failed reconciliation stays as it is, to be read.
    OPERATOR: (
        *("--min-retry-delay=10m", "--max-retry-delay=10m"),
        *("--enable-leader-election=false", "--web-server-port=0", "--storage-path=tmp"),
    ),
}
_FIXED = "2026-01-01T00:00:00Z"
_VERSION = "1.0.0"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Source:
    """The GitRepository `fleet`, charts, and the server of their archives."""

    cluster: Cluster
    directory: Path
    port: int

    def publish(self, files: Mapping[str, str]) -> str:
        """Make files the content of the GitRepository; gives the revision."""
        archive = _archive(files)
        revision = f"main@sha1:{hashlib.sha1(archive).hexdigest()}"
        spec = {"url": "https://127.0.0.1/nowhere"}
        self._store(_source("GitRepository", SOURCE, NAMESPACE, spec), archive, revision)
        return revision

    def chart(self, name: str, namespace: str, template: str) -> None:
        """Make a template a chart, and that the content of a HelmChart."""
        about = yaml.safe_dump({"apiVersion": "v2", "name": name, "version": _VERSION})
        archive = _archive({f"{name}/Chart.yaml": about, f"{name}/templates/all.yaml": template})
        repository = {"kind": "HelmRepository", "name": "nowhere"}
        spec = {"chart": name, "sourceRef": repository}
        self._store(_source("HelmChart", name, namespace, spec), archive, _VERSION)

    def _store(self, source: Document, archive: bytes, revision: str) -> None:
        """Write the object of a source, and what source-controller would say of it."""
        digest = hashlib.sha256(archive).hexdigest()
        (self.directory / f"{digest}.tar.gz").write_bytes(archive)
        self.cluster.good("apply", "-f-", given=[source])
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
        place = (source["metadata"][key] for key in ("name", "namespace"))
        write_status(self.cluster, source["kind"].lower(), *place, status)


def _source(kind: str, name: str, namespace: str, spec: Mapping[str, object]) -> Document:
    return {
        "apiVersion": "source.toolkit.fluxcd.io/v1",
        "kind": kind,
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"interval": "1h", **spec},
    }


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
def controller(
    cluster: Cluster, directory: Path, *flags: str, program: str = KUSTOMIZE
) -> Iterator[None]:
    """A controller, for as long as the context lasts; its log is in the directory."""
    metrics, health = free_ports(2)
    command = [
        str(cluster.programs / program),
        f"--metrics-addr=127.0.0.1:{metrics}",
        f"--health-addr=127.0.0.1:{health}",
        "--concurrent=100",
        "--requeue-dependency=5s",
        *_FLAGS[program],
        *flags,
    ]
    (directory / "tmp").mkdir(exist_ok=True)
    environment = {
        **os.environ,
        "KUBECONFIG": str(cluster.kubeconfig),
        "RUNTIME_NAMESPACE": NAMESPACE,
        "TMPDIR": str(directory / "tmp"),
        # Flux Operator does not start without.
        "GODEBUG": "fips140=on",
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
