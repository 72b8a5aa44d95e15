"""Gives the controller recorded cases again, and reads the final condition `Ready`."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import yaml

from tests.conformance.answer import Vector
from tests.conformance.flux_controllers import told
from tests.e2e.cluster import Cluster, Document
from tests.e2e.flux.controller import Source, write_status

_PATIENCE = 600.0
_LOOKS = 12.0
KUSTOMIZATION = "kustomizations.kustomize.toolkit.fluxcd.io"
_OWNED = "kustomize.toolkit.fluxcd.io/"
_FINALIZER = "finalizers.fluxcd.io"
_REQUESTED = "reconcile.fluxcd.io/requestedAt"
_KEPT = ("name", "namespace", "annotations")
Ends = dict[str, dict[str, str]]
"""By the name of a case, the `result` and the `message` as its vector wants them."""
States = Mapping[str, Sequence[Document]]
"""By the name of a case, which is a namespace, objects in their state."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A kind of declarations: how its objects are published, and how its status is read.

    `settled` tells whether it says how a reconciliation ended, `end` what it says.
    """

    resource: str
    publish: Callable[[Source, States], None]
    settled: Callable[[Document], bool]
    end: Callable[[Document], dict[str, str]]


def reconciled(source: Source, vectors: Iterable[Vector], kind: Declared) -> Ends:
    """How each declaration ends whose objects are in the state of its vector."""
    cluster = source.cluster
    cases = {each["case"]: each for each in vectors}
    prepare(cluster, {name: case["objects"] for name, case in cases.items()})
    kind.publish(source, {name: case["objects"] for name, case in cases.items()})
    refused = _applied(cluster, cases)
    ends = _ends(cluster, kind.resource, _keys(cases, without=refused), kind.settled)
    return {name: {"result": "Refused"} for name in refused} | {
        key[1]: kind.end(each) for key, each in ends.items()
    }


def prepare(cluster: Cluster, objects: States) -> None:
    """Bring the objects of each case into their state, in its namespace."""
    cluster.good("apply", "-f-", given=[_named("v1", "Namespace", name) for name in objects])
    at_once(lambda those: _prepare(cluster, those), objects.values())


def publish(source: Source, objects: States) -> None:
    """Publish the objects of each case in a directory of its name."""
    source.publish({f"{name}/all.yaml": manifests(those) for name, those in objects.items()})


def manifests(objects: Iterable[Document]) -> str:
    """What was committed of objects of the cluster."""
    return yaml.safe_dump_all([_written(each) for each in objects])


def gated(cluster: Cluster, vectors: Iterable[Vector], kind: Declared) -> Ends:
    """What each declaration says of its dependencies."""
    cases = {each["case"]: each for each in vectors}
    _applied(cluster, cases)
    # The first look writes the conditions that a `self` has at the next one, 5 s later.
    time.sleep(_LOOKS)
    ends = _ends(cluster, kind.resource, _keys(cases), _ready)
    return {key[1]: _dependency(each) for key, each in ends.items()}


def prepare_dependencies(source: Source, vectors: Iterable[Vector], kind: Declared) -> None:
    """Create the dependencies of all cases, and publish what depends on them.

    They are suspended, so that their status stays. The controller has to run.
    """
    cluster, found = source.cluster, {}
    for case in vectors:
        name, namespace = (case["declaration"]["metadata"][key] for key in ("name", "namespace"))
        config_map = _named("v1", "ConfigMap", name)
        config_map["metadata"]["namespace"] = namespace
        found[name] = [config_map]
        cluster.apply(_named("v1", "Namespace", namespace))
    kind.publish(source, found)
    dependencies = {_key(each): each for case in vectors for each in case["objects"]}
    cluster.good("apply", "-f-", given=map(_requested, dependencies.values()))
    _ends(cluster, kind.resource, set(dependencies), _looked_at)
    at_once(lambda each: _prepare(cluster, [each]), dependencies.values())


def _requested(document: Document) -> Document:
    """A suspended object at which the controller looks just once, and leaves a sign of it.

    It has the finalizer: when the controller adds it, it looks again after a moment, and may then
    replace the `observedGeneration` of the status that we wrote in the meantime.
    """
    written = _written(document)
    annotations = {**written["metadata"].get("annotations", {}), _REQUESTED: "once"}
    metadata = {"annotations": annotations, "finalizers": [_FINALIZER]}
    return {**written, "metadata": {**written["metadata"], **metadata}}


def _looked_at(found: Document) -> bool:
    return "lastHandledReconcileAt" in found.get("status", {})


def _key(document: Document) -> tuple[str, str]:
    metadata = document["metadata"]
    return metadata["namespace"], metadata["name"]


def _keys(cases: Mapping[str, Vector], without: Collection[str] = ()) -> set[tuple[str, str]]:
    return {_key(case["declaration"]) for name, case in cases.items() if name not in without}


def _prepare(cluster: Cluster, objects: Iterable[Document]) -> None:
    """Bring objects into their state, as their own controllers would."""
    for each in objects:
        metadata = each["metadata"]
        deleted = "deletionTimestamp" in metadata
        # Each change of the spec is a generation, and so is the deletion.
        for generation in range(1, metadata.get("generation", 1) + 1 - deleted):
            spec = {**each.get("spec", {}), "written": generation}
            document = _written(each, spec if "written" in each.get("spec", {}) else None)
            told = cluster.apply(document, options=["--server-side", "--field-manager=operator"])
            assert told.status == 0, told.err
        place = (resource(each), metadata["name"], metadata["namespace"])
        if "status" in each:
            write_status(cluster, *place, each["status"])
        if deleted:
            cluster.good("delete", place[0], place[1], "--namespace", place[2], "--wait=false")


def _written(document: Document, spec: Document | None = None) -> Document:
    """What was committed of an object of the cluster."""
    metadata = document["metadata"]
    kept = {key: metadata[key] for key in _KEPT if metadata.get(key)}
    kept["finalizers"] = [each for each in metadata.get("finalizers", ()) if each != _FINALIZER]
    labels = metadata.get("labels", {})
    ours = {name: value for name, value in labels.items() if not name.startswith(_OWNED)}
    others = {key: value for key, value in document.items() if key != "status"}
    more = {"spec": spec} if spec else {}
    return {**others, **more, "metadata": {**kept, "labels": ours}}


def _applied(cluster: Cluster, cases: Mapping[str, Vector]) -> list[str]:
    """Apply the declarations; gives the cases that the API server refuses."""
    told = at_once(lambda case: cluster.apply(case["declaration"]), cases.values())
    return [name for name, each in zip(cases, told, strict=True) if each.status]


def _ends(
    cluster: Cluster, resource: str, keys: set[tuple[str, str]], settled: Callable[[Document], bool]
) -> dict[tuple[str, str], Document]:
    """The declarations once all have settled, by namespace and name."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        listed = cluster.get(resource, "--all-namespaces")["items"]
        found = {_key(each): each for each in listed}
        waiting = [key for key in keys if not settled(found[key])]
        if not waiting:
            return {key: found[key] for key in keys}
        assert time.monotonic() < deadline, f"not settled: {waiting}"
        time.sleep(2)


def _settled(found: Document) -> bool:
    ready, reconciling = condition(found, "Ready"), condition(found, "Reconciling")
    ended = not reconciling or reconciling["reason"] == "ProgressingWithRetry"
    return ready.get("status") in ("True", "False") and ended


def _ready(found: Document) -> bool:
    return condition(found, "Ready").get("status") in ("True", "False")


def _reconciliation(found: Document) -> dict[str, str]:
    ready = condition(found, "Ready")
    message = told(ready["message"])
    if condition(found, "Stalled").get("status") == "True":
        return {"result": "Stalled", "message": message}
    if ready["status"] == "True":
        looked = bool(condition(found, "Healthy"))
        return {"result": "Current" if looked else "Applied"}
    late = message.startswith("timeout waiting")
    return {"result": "Timeout" if late else "Failed", "message": message}


def _dependency(found: Document) -> dict[str, str]:
    ready = condition(found, "Ready")
    stalled = condition(found, "Stalled").get("status") == "True"
    if ready["status"] == "True":
        return {"result": "True"}
    return {"result": "Stalled" if stalled else "False", "message": ready["message"]}


KUSTOMIZATIONS = Declared(KUSTOMIZATION, publish, _settled, _reconciliation)


def condition(found: Document, kind: str) -> Document:
    """The condition of an object of a type; empty if it has none."""
    conditions = found.get("status", {}).get("conditions", [])
    return next((each for each in conditions if each["type"] == kind), {})


def resource(document: Document) -> str:
    """The kind and group, as kubectl takes them in place of a resource."""
    group, _, version = document["apiVersion"].rpartition("/")
    kind: str = document["kind"]
    return f"{kind}.{version}.{group}" if group else kind


def _named(version: str, kind: str, name: str) -> Document:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}}


def at_once(do: Callable[[Any], Any], each: Iterable[Any]) -> list[Any]:
    """What something gives for each, some at a time."""
    with ThreadPoolExecutor(8) as people:
        return list(people.map(do, each))
