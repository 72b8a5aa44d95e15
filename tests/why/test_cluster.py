"""What is read of a cluster: enough for the same report, and not more."""

from __future__ import annotations

import json
from threading import Thread, current_thread
from typing import Any

import pytest
from lightkube.core.resource_registry import resource_registry

from celvet.lint.verdicts.unstructured import timestamp
from celvet.lint.why.inputs.api import ApiResource
from celvet.lint.why.inputs.reader import read_cluster
from celvet.lint.why.inputs.scope import ReadScope
from celvet.lint.why.investigation import investigate
from celvet.lint.why.output.json import render
from celvet.lint.why.snapshot import Snapshot
from celvet.schemas import load
from tests.properties import sample
from tests.why.api_server import ApiServer
from tests.why.recorded import NAMES, SEEDED, differences, expected, objects
from tests.why.states import made


def snapshot(server: ApiServer, at: str) -> Snapshot:
    now = timestamp(at)
    assert now
    return read_cluster(server.api(), load(), now)


@pytest.mark.parametrize("name", sample([*NAMES, *SEEDED]))
def test_the_report_on_a_cluster_is_that_on_its_files(name: str) -> None:
    seen = expected(name)
    now = timestamp(seen["at"])
    assert now
    server = ApiServer(objects(name))
    told = json.loads(render(investigate(snapshot(server, seen["at"]), load(), now), False))
    assert [*differences(told, seen)] == []
    assert not told["notes"]
    assert not [path for path in server.requests if "secrets" in path.split("/")]


def test_a_busy_server_is_asked_again() -> None:
    server = ApiServer(objects("healthy-small"))
    server.busy = 3
    assert len(snapshot(server, expected("healthy-small")["at"]).objects) == 4
    assert server.requests[:4] == 4 * ["GET /apis"]


def test_threads_share_the_class_of_a_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = ApiResource("example.com", "v1", "Shared", "shareds")
    api = ApiServer([], served=[kind.plural]).api()
    second = Thread(target=lambda: [*api.list(kind)])
    register = resource_registry.register

    def slow(resource: type) -> type:
        if current_thread() is not second:
            second.start()
            second.join(0.1)  # it waits for the class that is defined here
        return register(resource)

    monkeypatch.setattr(resource_registry, "register", slow)
    assert [*api.list(kind)] == []
    second.join()


def test_of_a_healthy_cluster_only_those_who_wait_are_read() -> None:
    server = ApiServer(objects("healthy-small"))
    assert len(snapshot(server, expected("healthy-small")["at"]).objects) == 4
    assert len(server.requests) == 5  # the groups, and a list of each of Flux's kinds


def test_a_missing_right_is_said_and_skipped() -> None:
    server = ApiServer(objects("builtin-crashing"), forbidden=["pods", "events"])
    found = snapshot(server, expected("builtin-crashing")["at"])
    assert [note.partition(":")[0] for note in found.notes] == [
        "cannot list pods in `apps-15`",
        "cannot list events in `apps-15`",
        "cannot list events in `gitops-15`",
    ]


def test_what_may_not_be_read_is_not_called_missing() -> None:
    server = ApiServer(objects("builtin-crashing"), forbidden=["deployments"])
    at = expected("builtin-crashing")["at"]
    now = timestamp(at)
    assert now
    assert investigate(snapshot(server, at), load(), now).roots == []


def test_a_recording_also_reads_what_ready_objects_have_waited_for() -> None:
    server = ApiServer(objects("healthy-small"))
    now = timestamp(expected("healthy-small")["at"])
    assert now
    snapshot = read_cluster(server.api(), load(), now, ReadScope(whole=True))
    kinds = {obj["kind"] for obj in snapshot.objects}
    assert "Cluster" in kinds


def test_little_is_kept_of_what_no_expression_reads() -> None:
    flags: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "flags", "namespace": "g", "managedFields": [{}]},
        "data": {"mode": "off"},
    }
    other = {**flags, "metadata": {"name": "other", "namespace": "g"}}
    gate: dict[str, Any] = {"apiVersion": "v1", "kind": "ConfigMap", "name": "flags"}
    gate |= {"namespace": "g", "ready": True, "readyExpr": "data.mode == 'on'"}
    waiting = "False DependencyNotReady Retrying dependency check: dependency not ready"
    owner = made({"set": "app", "spec": {"dependsOn": [gate]}, "conditions": {"Ready": waiting}})
    waiter = made({"kustomization": "app", "is": "waiting", "inventory": ["g_other__ConfigMap"]})
    for objects_of_cluster, data in (([owner, flags], {"mode": "off"}), ([waiter, other], None)):
        snapshot_of_cluster = snapshot(ApiServer(objects_of_cluster), "2026-11-24T00:30:20Z")
        (kept,) = (obj for obj in snapshot_of_cluster.objects if obj["kind"] == "ConfigMap")
        assert kept.get("data") == data
        assert "managedFields" not in kept["metadata"]


def test_nobody_needs_the_right_to_read_the_controllers() -> None:
    blocked = "False DependencyNotReady unable to get 'g/db' dependency"
    spec = {"dependsOn": [{"name": "db"}]}
    release = made({"release": "api", "spec": spec, "conditions": {"Ready": blocked}})
    server = ApiServer([release], forbidden=["deployments"])
    assert not snapshot(server, "2026-11-24T00:30:20Z").notes
