"""A playground of its own for each module of tests."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def playground(directory: Path) -> Iterator[str]:
    """The address of a playground that is started in a directory."""
    command = [sys.executable, "-m", "celvet", "playground", "--port", "0"]
    with subprocess.Popen(command, cwd=directory, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            line = process.stdout.readline()
            assert line.startswith("celvet playground: http://127.0.0.1:")
            yield line.partition(": ")[2].strip()
        finally:
            process.terminate()
        assert process.wait() == 0
