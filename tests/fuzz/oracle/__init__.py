"""Asks the Go program in this folder, which is the controllers' own code."""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.conformance.answer import Vector, cel_go
from tests.conformance.run import number

_HERE = Path(__file__).parent
_CEL_GO = "github.com/google/cel-go"


@functools.cache
def _program(cel_go: str) -> Path:
    """The program with a version of cel-go, built by a copy of go.mod that asks for it."""
    directory = Path(tempfile.gettempdir()) / "celvet-oracle"
    directory.mkdir(exist_ok=True)
    program, module = directory / cel_go, directory / f"{cel_go}.mod"
    for suffix in (".mod", ".sum"):
        shutil.copyfile(_HERE / f"go{suffix}", module.with_suffix(suffix))
    asked = f"{_CEL_GO}={_CEL_GO}@v{cel_go}"
    for command in (
        ["mod", "edit", "-replace", asked, str(module)],
        ["build", "-mod=mod", f"-modfile={module}", "-o", str(program), "."],
    ):
        subprocess.run(["go", *command], cwd=_HERE, check=True)
    return program


def answers(vectors: Sequence[Vector]) -> list[dict[str, Any]]:
    """The answer to each vector, as `want` has it in tests/conformance.

    Raises `CalledProcessError` if a program cannot be built, or dies.
    """
    by_version = {
        version: _asked(_program(version), [each for each in vectors if cel_go(each) == version])
        for version in {cel_go(each) for each in vectors}
    }
    return [next(by_version[cel_go(each)]) for each in vectors]


def _asked(program: Path, vectors: Sequence[Vector]) -> Iterator[dict[str, Any]]:
    asked = "".join(json.dumps(vector) + "\n" for vector in vectors)
    ran = subprocess.run([program], input=asked.encode(), capture_output=True, check=True)
    return (json.loads(line, parse_int=number) for line in ran.stdout.splitlines())
