"""Asks the Go program in this folder, which runs the controllers' own code."""

from __future__ import annotations

import functools
import hashlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.conformance.answer import Vector, cel_go
from tests.conformance.run import number

CEL_GO = ("0.26.1", "0.27.0", "0.29.0", "0.31.0")
"""The versions that the vectors ask."""

GATES = {
    "crossplane-auto-ready": ("object", "0.30.0"),
    "kuttl-assertion": ("web", "0.30.0"),
    "ocm-condition": ("object", "0.29.2"),
    "package-operator-probe": ("self", "0.31.0"),
    "sveltos-rule": ("resource", "0.31.0"),
    "kro-ready": ("web", "0.31.0"),
}
"""The dialects of other systems whose compilers answer, with a variable and their cel-go."""

_HERE = Path(__file__).parent
_MODULE = "github.com/google/cel-go"


@functools.cache
def program(cel_go: str) -> Path:
    """The program with a version of cel-go; Go builds it if it does not exist yet.

    Raises `OSError` without Go, `CalledProcessError` if it cannot be built.
    """
    sources = [_HERE / name for name in ("main.go", "flux/flux.go", "go.mod", "go.sum")]
    digest = hashlib.sha256(b"".join(each.read_bytes() for each in sources)).hexdigest()
    directory = Path(tempfile.gettempdir()) / "celvet-oracle" / digest[:12]
    found = directory / cel_go
    if not found.exists():
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=directory) as name:
            _built(cel_go, Path(name)).replace(found)
    return found


def _built(cel_go: str, directory: Path) -> Path:
    """The program, built with a copy of go.mod that requires the version."""
    built, module = directory / "oracle", directory / "go.mod"
    for each in (module, directory / "go.sum"):
        shutil.copyfile(_HERE / each.name, each)
    for command in (
        ["mod", "edit", "-replace", f"{_MODULE}={_MODULE}@v{cel_go}", str(module)],
        ["build", "-mod=mod", f"-modfile={module}", "-o", str(built), "."],
    ):
        subprocess.run(["go", *command], cwd=_HERE, check=True)
    return built


def answers(vectors: Sequence[Vector]) -> list[dict[str, Any]]:
    """The answer to each vector, in the form of `want` in tests/conformance.

    Raises `CalledProcessError` if a program dies, and what `program` raises.
    """
    by_version = {
        version: _asked(program(version), [each for each in vectors if cel_go(each) == version])
        for version in {cel_go(each) for each in vectors}
    }
    return [next(by_version[cel_go(each)]) for each in vectors]


def _asked(oracle: Path, vectors: Sequence[Vector]) -> Iterator[dict[str, Any]]:
    asked = "".join(json.dumps(vector) + "\n" for vector in vectors)
    ran = subprocess.run([oracle], input=asked.encode(), capture_output=True, check=True)
    return (json.loads(line, parse_int=number) for line in ran.stdout.splitlines())
