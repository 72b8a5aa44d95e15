"""Lets objects change while the controller waits for them, and reads how its waits end.

The time of a case begins where its Kustomization says that the health checks run, which is just
before the first look.
"""

from __future__ import annotations

import json
import re
import subprocess
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.conformance.answer import Vector
from tests.conformance.flux_controllers import told
from tests.e2e.cluster import Cluster
from tests.e2e.flux.controller import Source, write_status
from tests.e2e.flux.replay import KUSTOMIZATION, at_once, prepare, publish, resource

_LOOK = 5
_TRIES = 3
_PATIENCE = 150.0
"""More than twice as long as the longest case."""
_CONDITION = '{.status.conditions[?(@.type=="%s")].message}'
_PRINTED = (
    f"jsonpath={{.metadata.name}} | {_CONDITION % 'Healthy'} | {_CONDITION % 'Ready'}{{'\\n'}}"
)
_TOOK = re.compile(r"(?:Health check passed in|health check failed after) (?:(\d+)m)?([\d.]+)(m?)s")

Waits = list[dict[str, object]]
"""The waits of a case as its vector wants them."""


def different(source: Source, vectors: Iterable[Vector]) -> list[tuple[str, object, object]]:
    """The cases whose waits end in another way than recorded, however often they are tried.

    On a busy machine, a change may come after the look for which it is meant.
    """
    waiting, found = list(vectors), list[tuple[Vector, Waits]]()
    for _ in range(_TRIES):
        ends = _rolled_out(source, waiting)
        pairs = [(case, ends[case["case"]]) for case in waiting]
        found = [(case, waits) for case, waits in pairs if waits != case["want"]["result"]]
        if not found:
            break
        waiting = [_renamed(case) for case, _ in found]
    return [(case["case"], case["want"]["result"], waits) for case, waits in found]


def _renamed(case: Vector) -> Vector:
    """The same case with objects of its own."""
    name = case["case"]
    renamed: Vector = json.loads(json.dumps(case).replace(name, f"{name}-again"))
    return renamed


def _rolled_out(source: Source, vectors: Iterable[Vector]) -> dict[str, Waits]:
    """How the waits of each case end: as many as its vector has, or as come `during` a time."""
    cases = {each["case"]: each for each in vectors}
    wanted = {name: len(case["want"]["result"]) for name, case in cases.items()}
    first = {name: case["states"][0]["objects"] for name, case in cases.items()}
    prepare(source.cluster, first)
    publish(source, first)
    with _lives(source.cluster, cases) as ends:
        source.cluster.good("apply", "-f-", given=[each["declaration"] for each in cases.values()])
        begin = time.monotonic()
        watched = begin + max(case.get("during", 0) for case in cases.values())
        while time.monotonic() < watched or any(len(ends[name]) < wanted[name] for name in cases):
            if time.monotonic() > begin + _PATIENCE:
                break
            time.sleep(1)
    return {
        name: [_wait(each) for each in ends[name][: None if "during" in case else wanted[name]]]
        for name, case in cases.items()
    }


@contextmanager
def _lives(cluster: Cluster, cases: Mapping[str, Vector]) -> Iterator[dict[str, list[str]]]:
    """Each object has the life of its case, from the moment that its health is checked.

    Gives the messages with which the waits of each case end, while they come.
    """
    options = (KUSTOMIZATION, "--all-namespaces", "--watch", "--output", _PRINTED)
    command = [cluster.programs / "kubectl", "--kubeconfig", cluster.kubeconfig, "get", *options]
    ends: dict[str, list[str]] = defaultdict(list)
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as watch:
        given = (watch, cluster, cases, ends)
        threading.Thread(target=_follow, args=given, daemon=True).start()
        try:
            yield ends
        finally:
            watch.terminate()


def _follow(
    watch: subprocess.Popen[str],
    cluster: Cluster,
    cases: Mapping[str, Vector],
    ends: dict[str, list[str]],
) -> None:
    begun = set()
    for line in watch.stdout or ():
        name, healthy, ready = line.rstrip("\n").split(" | ")
        if healthy.startswith("Running") and name not in begun:
            begun.add(name)
            threading.Thread(target=_live, args=(cluster, cases[name]), daemon=True).start()
        # Each change of the object shows both; the time in a message tells a new one.
        ends[name] += [
            each for each in (healthy, ready) if _TOOK.match(each) and each not in ends[name]
        ]


def _live(cluster: Cluster, case: Vector) -> None:
    begin = time.monotonic()
    for state in case["states"][1:]:
        time.sleep(max(0.0, begin + state["at"] - time.monotonic()))
        at_once(lambda each: _write(cluster, each), state["objects"])


def _write(cluster: Cluster, document: Mapping[str, Any]) -> None:
    metadata = document["metadata"]
    place = (resource(document), metadata["name"], metadata["namespace"])
    write_status(cluster, *place, document.get("status", {}))


def _wait(message: str) -> dict[str, object]:
    """The wait that a message tells of, with the look at which it ended."""
    found = _TOOK.match(message)
    assert found
    minutes, seconds, milli = found.groups()
    took = int(int(minutes or 0) * 60 + float(seconds) / (1000 if milli else 1))
    if "timeout waiting" in message:
        return {"end": "timed out", "took": took, "message": told(message)}
    # A look takes a moment itself.
    looked = took // _LOOK * _LOOK
    if "passed in" in message:
        return {"end": "succeeded", "took": looked, "message": ""}
    return {"end": "failed", "took": looked, "message": told(message)}
