"""Reads the files to lint, without loading those that are too large."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import cast

from celvet.lint.manifest.limits import MAX_BYTES

STDIN = Path("-")


def read_source(path: Path) -> bytes:
    """The content of a file, or of standard input for `-`.

    A regular file that is too large to lint is mapped, not loaded: the engine
    searches it for the words of known kinds before it reports the size. From
    anything else, such as a pipe without end, one byte beyond the limit is read.
    Raises `OSError`.
    """
    if str(path) == "-":  # a run compares thousands of paths, and a text is compared at once
        if sys.stdin is None:
            raise OSError(errno.EBADF, "standard input is closed")
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with path.open("rb") as file:
        expected = os.fstat(file.fileno()).st_size  # a buffer for the largest takes longer to make
        data = file.read(min(expected, MAX_BYTES) + 1)
        if len(data) > expected:  # it grows, or is no regular file
            data += file.read(MAX_BYTES + 1 - len(data))
        if len(data) <= MAX_BYTES or not path.is_file():
            return data
        import mmap

        return cast(bytes, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
