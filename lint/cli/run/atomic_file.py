"""Writes files atomically."""

from __future__ import annotations

import os
from pathlib import Path

from celvet.wrong_input import WrongInputError


def write(file: Path, content: bytes) -> None:
    """Replace the content of a file atomically: a reader sees the old one or the new one.

    A pipe or a device is written to instead. Raises `WrongInputError`; then the file is unchanged.
    """
    try:
        _replace(file, content)
    except OSError as error:
        raise WrongInputError(f"cannot write {file}: {error.strerror or error}") from None


def _replace(file: Path, content: bytes) -> None:
    file = file.resolve()  # a link stays, and its target is replaced
    if file.exists() and not file.is_file():
        file.write_bytes(content)
        return
    import tempfile  # loads `random` and the archive formats of `shutil`

    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as temporary:
            temporary.write(content)
        Path(name).chmod(_mode(file))
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _mode(file: Path) -> int:
    """The mode bits of the file, or those that a new one would get."""
    try:
        return file.stat().st_mode & 0o7777
    except FileNotFoundError:
        return 0o666 & ~_umask()


def _umask() -> int:
    """The mode bits that new files do not get; the system lets us read it only by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
