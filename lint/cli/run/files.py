"""Files that are never half-written."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click


def write(file: Path, content: bytes) -> None:
    """Put a content in the place of a file's at once: a reader sees the old one or the new one.

    What is no regular file, such as a pipe or a device, is written to. Raises
    `click.UsageError`; then the file is as it was.
    """
    try:
        _replace(file, content)
    except OSError as error:
        raise click.UsageError(f"cannot write {file}: {error.strerror or error}") from None


def _replace(file: Path, content: bytes) -> None:
    file = file.resolve()  # of a link, what it leads to
    if file.exists() and not file.is_file():
        file.write_bytes(content)
        return
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
    """The mode bits that the file has, or would be made with."""
    try:
        return file.stat().st_mode & 0o7777
    except FileNotFoundError:
        return 0o666 & ~_umask()


def _umask() -> int:
    """The mode bits that new files do not get; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
