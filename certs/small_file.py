"""Reads small files that other programs replace, such as mounted certificates."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_LARGEST = 1 << 20
"""Bytes; a Secret or a ConfigMap cannot hold more."""


def read_small(path: Path) -> bytes:
    """The content of a regular file; raises `OSError`.

    A pipe could block the reader, and a device could fill the memory, so both are errors.
    """
    with open(path, "rb", opener=lambda path, flags: os.open(path, flags | os.O_NONBLOCK)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, f"`{path.name}` is not a regular file")
        content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise OSError(errno.EFBIG, f"`{path.name}` is larger than 1 MiB")
    return content
