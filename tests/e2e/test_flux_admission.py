"""What users of Flux see of the webhook, in the Kustomization whose children it checks.

docs/install.md says the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.cluster import Cluster, Document, until
from tests.e2e.flux.controller import NAMESPACE, SOURCE, Source, controller
from tests.e2e.flux.replay import KUSTOMIZATION, condition
from tests.e2e.release import Release

_OVERLAPPING = "status.conditions.exists(e, e.type == 'Synced')"
_GOOD = "status.conditions.exists(e, e.type == 'Synced' && e.status == 'True')"
_DENIED = (
    "Kustomization/flux-system/bad dry-run failed (Invalid): admission webhook"
    ' "expressions.celvet.dev" denied the request: Kustomization.kustomize.toolkit.fluxcd.io "bad"'
    " is invalid: spec.healthCheckExprs[0].current: the expression ends where a value is expected,"
    " so the controller refuses the expression [celvet: cel-syntax]"
)


@pytest.fixture
def deployed(fleet: Source, tmp_path: Path) -> Iterator[Source]:
    """The source and its controller, with celvet in the way."""
    directory = tmp_path / "release"
    directory.mkdir()
    with Release.installed(fleet.cluster, directory) as release:
        release.serve(replicas=1)
        with controller(fleet.cluster, tmp_path):
            yield fleet


def test_flux_users_see_refusals_in_the_parent_and_warnings_nowhere(
    deployed: Source, tmp_path: Path
) -> None:
    cluster = deployed.cluster
    beside = _named("v1", "ConfigMap", "beside", data={"a": "b"})
    bad, good = _child("bad", "status.phase == "), _child("good", _GOOD)
    files = {
        "nothing": [_named("v1", "ConfigMap", "nothing")],
        "mixed": [bad, good, beside],
        "warned": [_child("overlapping", _GOOD, failed=_OVERLAPPING)],
    }
    _publish(deployed, files)
    cluster.good("apply", "-f-", given=[_kustomization("mixed"), _kustomization("warned")])

    refused = until(lambda: _ready(cluster, "mixed", "False"))
    assert (refused["reason"], refused["message"].strip()) == ("ReconciliationFailed", _DENIED)
    assert not _there(cluster, KUSTOMIZATION, "good")
    assert not _there(cluster, "configmap", "beside")

    until(lambda: _ready(cluster, "warned", "True"))
    assert _there(cluster, KUSTOMIZATION, "overlapping")
    told = until(lambda: _events(cluster, "warned"))
    assert not [each for each in told if "celvet" in each]
    assert "[celvet: overlapping-verdicts]" in (tmp_path / "kustomize-controller.log").read_text()

    _publish(deployed, {**files, "mixed": [_child("bad", _GOOD), good, beside]})
    until(lambda: _ready(cluster, "mixed", "True"))
    assert _there(cluster, "configmap", "beside")


def _publish(source: Source, files: dict[str, list[Document]]) -> None:
    texts = {f"{name}/all.yaml": yaml.safe_dump_all(given) for name, given in files.items()}
    source.publish(texts)


def _kustomization(name: str, **spec: Any) -> Document:
    found = _named("kustomize.toolkit.fluxcd.io/v1", "Kustomization", name)
    times = {"interval": "1h", "retryInterval": "5s", "prune": False}
    return {
        **found,
        "spec": {
            **times,
            "path": f"./{name}",
            "sourceRef": {"kind": "GitRepository", "name": SOURCE},
            **spec,
        },
    }


def _child(name: str, current: str, **more: str) -> Document:
    entry = {"apiVersion": "example.com/v1", "kind": "Widget", "current": current}
    return _kustomization(name, path="./nothing", wait=True, healthCheckExprs=[{**entry, **more}])


def _named(version: str, kind: str, name: str, **more: Any) -> Document:
    metadata = {"name": name, "namespace": NAMESPACE}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **more}


def _ready(cluster: Cluster, name: str, status: str) -> Document:
    """The condition `Ready` if it has this status, empty otherwise."""
    found = condition(cluster.get(KUSTOMIZATION, name, "--namespace", NAMESPACE), "Ready")
    return found if found.get("status") == status else {}


def _events(cluster: Cluster, name: str) -> list[str]:
    events = cluster.get("events", "--namespace", NAMESPACE)["items"]
    return [each["message"] for each in events if each["involvedObject"]["name"] == name]


def _there(cluster: Cluster, resource: str, name: str) -> bool:
    return cluster.kubectl("get", resource, name, "--namespace", NAMESPACE).status == 0
