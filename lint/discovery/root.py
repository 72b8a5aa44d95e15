"""The git repository around a directory, without git."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path


def absolute(path: Path) -> Path:
    """The path from the root, without `..`, which `Path.absolute` keeps; links are kept."""
    return Path(os.path.abspath(path))  # noqa: PTH100


def repository(directory: Path) -> Path | None:
    """The nearest directory from here upwards with a `.git`, which a worktree has as a file."""
    parents = (directory, *directory.parents)
    # unlike `Path.exists`, this raises nothing for a directory that cannot be searched
    return next((parent for parent in parents if os.path.exists(parent / ".git")), None)  # noqa: PTH110


def root_of(files: Sequence[Path]) -> Path:
    """The directory that the paths in objects count from: the repository's, else this one."""
    working_directory = Path.cwd()
    if not files:
        return working_directory
    common = Path(os.path.commonpath([absolute(file).parent for file in files]))
    return repository(common) or (
        working_directory if common.is_relative_to(working_directory) else common
    )


def is_special(path: Path | str) -> bool:
    """Whether a path is a device, pipe or socket, whose content may have no end."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - 3 times faster
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
