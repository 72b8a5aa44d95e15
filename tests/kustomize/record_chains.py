"""Asks Flux's own libraries about the random chains: `python -m tests.kustomize.record_chains`.

Builds the program in `flux` with Go. Writes `chains.jsonl`: a line for each repository that can be
built, with its number and its objects.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from tests.kustomize.chains import ROOT, Chain

Ask: TypeAlias = Callable[[Mapping[str, Any]], list[dict[str, Any]]]
"""Asks for the objects that a Kustomization applies; raises `ValueError` if it cannot be built."""

_Key: TypeAlias = tuple[str, str, str]

CHAINS = Path(__file__).with_name("chains.jsonl")
_CHAINS = 580
_MOST_ROUNDS = 10
PATHS = (
    ("kind",),
    *(("metadata", name) for name in ("name", "namespace", "labels", "annotations")),
    *(("spec", name) for name in ("wait", "timeout", "interval", "retryInterval")),
    *(("spec", name) for name in ("targetNamespace", "healthChecks", "dependsOn", "postBuild")),
)
"""The places of the fields that are compared."""


def fields(value: Mapping[str, Any]) -> list[Any]:
    """The compared parts of an object; those that are not there are empty."""
    found = []
    for holder, *names in PATHS:
        part = value.get(holder)
        for name in names:
            part = (part or {}).get(name)
        found.append("" if part is None else part)
    return found


class _Cluster:
    """The objects of a cluster, until nothing changes any more."""

    def __init__(self, ask: Ask, files: Mapping[str, str]) -> None:
        self._ask, self._files = ask, files
        self.objects: dict[_Key, dict[str, Any]] = {}
        self._owners: dict[_Key, _Key | None] = {}
        self._applied: dict[_Key, str] = {}

    def settle(self) -> bool:
        """Apply everything; whether that ends, and no two appliers have the same object."""
        self._put(yaml.safe_load(self._files[ROOT]))
        for _ in range(_MOST_ROUNDS):
            waiting = [key for key in self.objects if self._is_new(key)]
            if not waiting:
                return True
            if not all(self._apply(key) for key in waiting if key in self.objects):
                return False
        return False

    def _is_new(self, key: _Key) -> bool:
        value = self.objects[key]
        ours = (value["spec"].get("sourceRef") or {}).get("name") if "spec" in value else ""
        is_applier = value["kind"] == "Kustomization" and ours == "cluster"
        return is_applier and self._applied.get(key) != self._state(value)

    def _state(self, owner: Mapping[str, Any]) -> str:
        """What the build of an object depends on."""
        return json.dumps([owner, self._config_maps(owner)], sort_keys=True)

    def _config_maps(self, owner: Mapping[str, Any]) -> list[dict[str, Any]]:
        near = owner["metadata"]["namespace"]
        found = (each for each in self.objects.values() if each["kind"] == "ConfigMap")
        return [each for each in found if each["metadata"]["namespace"] == near]

    def _apply(self, owner: _Key) -> bool:
        """Apply what an object builds, and delete what it no longer does."""
        value = self.objects[owner]
        self._applied[owner] = self._state(value)
        maps = self._config_maps(value)
        made = self._ask({"files": self._files, "kustomization": value, "configMaps": maps})
        put = [self._put(each, owner) for each in made]
        self._delete([key for key, by in self._owners.items() if by == owner and key not in put])
        return None not in put

    def _put(self, value: dict[str, Any], owner: _Key | None = None) -> _Key | None:
        value["metadata"].setdefault("namespace", "default")
        key = value["kind"], value["metadata"]["namespace"], value["metadata"]["name"]
        if self._owners.get(key) not in (None, owner):
            return None
        self._owners[key] = owner
        self.objects[key] = value
        return key

    def _delete(self, keys: Iterable[_Key]) -> None:
        """Delete objects, and what they have applied."""
        for key in keys:
            if self.objects.pop(key, None):
                del self._owners[key]
                self._applied.pop(key, None)
                self._delete([each for each, by in self._owners.items() if by == key])


def _asking(program: str) -> Ask:
    process = subprocess.Popen(
        [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )

    def ask(request: Mapping[str, Any]) -> list[dict[str, Any]]:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        found = json.loads(process.stdout.readline())
        if error := found.get("error"):
            raise ValueError(error)
        objects: list[dict[str, Any]] = found["objects"] or []
        return objects

    return ask


def answer(ask: Ask, number: int) -> list[list[Any]] | None:
    """The objects of a repository in the cluster; None if one cannot be built."""
    cluster = _Cluster(ask, Chain(number).files)
    try:
        settled = cluster.settle()
    except ValueError:
        return None
    if not settled:
        return None
    found = (each for each in cluster.objects.values() if each["kind"] != "ConfigMap")
    return sorted(map(fields, found), key=str)


def main() -> None:
    """Record all chains."""
    with tempfile.TemporaryDirectory() as directory:
        program = f"{directory}/flux"
        source = Path(__file__).with_name("flux")
        subprocess.run(["go", "build", "-o", program, "."], cwd=source, check=True)
        ask = _asking(program)
        with CHAINS.open("w", encoding="utf-8") as file:
            for number in range(_CHAINS):
                if found := answer(ask, number):
                    line = json.dumps([number, found], sort_keys=True, separators=(",", ":"))
                    file.write(f"{line}\n")


if __name__ == "__main__":
    main()
