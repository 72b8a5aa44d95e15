"""The git repository around a directory, without git."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path


def repository(directory: Path) -> Path | None:
    """The nearest directory from here upwards with a `.git`, which a worktree has as a file."""
    parents = (directory, *directory.parents)
    # unlike `Path.exists`, this raises nothing for a directory that cannot be searched
    return next((each for each in parents if os.path.exists(each / ".git")), None)  # noqa: PTH110


def root_of(files: Sequence[Path]) -> Path:
    """The directory that the paths in objects count from: the repository's, else this one."""
    here = Path.cwd()
    if not files:
        return here
    common = Path(os.path.commonpath([each.absolute().parent for each in files]))
    return repository(common) or (here if common.is_relative_to(here) else common)
