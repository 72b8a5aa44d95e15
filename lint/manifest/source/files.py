"""Reads what is to be linted; a file of any size costs no more than a look at its bytes."""

from __future__ import annotations

import errno
import mmap
import sys
from pathlib import Path
from typing import cast

from celvet.lint.manifest.limits import MAX_BYTES

STDIN = Path("-")


def read_source(path: Path) -> bytes:
    """The content of a file, or of standard input for `-`.

    A regular file beyond the size that the engine reads is mapped, not loaded:
    the engine looks whether it concerns us, and says that it is too large.
    From anything else, which may have no end, no more is read than shows that.
    Raises `OSError`.
    """
    if path == STDIN:
        if sys.stdin is None:
            raise OSError(errno.EBADF, "standard input is closed")
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
        if len(data) <= MAX_BYTES or not path.is_file():
            return data
        return cast(bytes, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
