"""A cluster with Flux's CRDs and those of the kinds in the recorded cases, and its source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.conformance.answer import Vector
from tests.conformance.run import vectors
from tests.e2e.cluster import Cluster
from tests.e2e.control_plane import control_plane
from tests.e2e.crds import anything
from tests.e2e.flux.controller import NAMESPACE, Source, source

_RECORDED = Path(__file__).parents[2] / "conformance"
_FLUX = re.compile(r"\b(toolkit\.fluxcd|fluxcd\.controlplane)\.io/")
_FILES = (
    "flux-controllers.jsonl",
    "cel-go-releases.yaml",
    "kustomize-controller.yaml",
    "helm-controller.yaml",
    "flux-operator.yaml",
)


def cases(mode: str, file: str = _FILES[0]) -> list[Vector]:
    """The recorded cases of a mode."""
    return [vector for vector, _ in vectors(_RECORDED / file) if vector["mode"] == mode]


@contextmanager
def fleet_in(programs: Path, directory: Path) -> Iterator[Source]:
    """The source, while its cluster runs in a directory."""
    with control_plane(programs, _new(directory / "cluster")) as kubeconfig:
        cluster = Cluster(programs, kubeconfig)
        for path in sorted((programs / "flux-crds").glob("*.yaml")):
            cluster.good("apply", "--server-side", "-f", str(path))
        cluster.good("apply", "--server-side", "-f-", given=_kinds())
        cluster.good("wait", "--for=condition=Established", "crd", "--all", "--timeout=300s")
        cluster.good("create", "namespace", NAMESPACE)
        with source(cluster, _new(directory / "archives")) as served:
            yield served


def _new(directory: Path) -> Path:
    directory.mkdir()
    return directory


def _kinds() -> list[dict[str, object]]:
    """A CRD for each custom kind among the objects of the cases."""
    found = {
        (*each["apiVersion"].split("/"), each["kind"])
        for file in _FILES
        for case, _ in vectors(_RECORDED / file)
        for each in case.get("states", [case])[0]["objects"]
        if "." in each["apiVersion"] and not _FLUX.search(each["apiVersion"])
    }
    return [anything(group, version, kind) for group, version, kind in sorted(found)]
