"""Asks the Go program beside, which is the controllers' own code."""

from __future__ import annotations

import functools
import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.conformance.answer import Vector
from tests.conformance.run import number

_HERE = Path(__file__).parent


@functools.cache
def _program() -> str:
    directory = Path(tempfile.gettempdir()) / "celvet-oracle"
    subprocess.run(["go", "build", "-o", str(directory / "oracle"), "."], cwd=_HERE, check=True)
    return str(directory / "oracle")


def answers(vectors: Sequence[Vector]) -> list[dict[str, Any]]:
    """The answer to each vector, as `want` has it in tests/conformance.

    Raises `CalledProcessError` if the program cannot be built, or dies.
    """
    asked = "".join(json.dumps(vector) + "\n" for vector in vectors)
    ran = subprocess.run([_program()], input=asked.encode(), capture_output=True, check=True)
    return [json.loads(line, parse_int=number) for line in ran.stdout.splitlines()]
