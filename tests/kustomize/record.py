"""Asks the real kustomize about the random trees: `python -m tests.kustomize.record KUSTOMIZE`.

Writes `answers.jsonl`: a line for each tree in order, null where kustomize refuses to build it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.kustomize.unusual import tree

ANSWERS = Path(__file__).with_name("answers.jsonl")
TREES = 4_662
PATHS = (
    ("kind",),
    *(("metadata", name) for name in ("name", "namespace", "labels", "annotations")),
    *(("spec", name) for name in ("wait", "timeout", "interval", "healthChecks")),
)
"""The places of the fields that are compared."""


def fields(value: Mapping[str, Any]) -> list[Any]:
    """The compared parts of an object."""
    metadata, spec = value["metadata"], value["spec"]
    if value["kind"] == "Namespace":  # what patches it, celvet does not ask
        metadata, spec = {"name": metadata["name"]}, {}
    names = [value["kind"], metadata["name"], metadata.get("namespace", "")]
    marks = [metadata.get(each) or {} for each in ("labels", "annotations")]
    checks = spec.get("healthChecks")
    listed = [each.get("name") for each in checks] if isinstance(checks, list) else checks
    return [*names, *marks, spec.get("wait"), spec.get("timeout"), spec.get("interval"), listed]


def answer(kustomize: str, number: int) -> list[list[Any]] | None:
    """The objects that kustomize builds from a tree; None if it refuses it."""
    with tempfile.TemporaryDirectory() as directory:
        root = tree(number).write(Path(directory), fetched=True)
        ran = subprocess.run([kustomize, "build", root], capture_output=True, check=False)
        if ran.returncode:
            return None
        found = filter(None, yaml.safe_load_all(ran.stdout))
        built = (each for each in found if each["kind"] != "ConfigMap")  # generated ones
        return sorted(map(fields, built), key=str)


def main(kustomize: str) -> None:
    """Record all trees."""
    with ANSWERS.open("w", encoding="utf-8") as file:
        for number in range(TREES):
            found = answer(kustomize, number)
            file.write(json.dumps(found, sort_keys=True, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
