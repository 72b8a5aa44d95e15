"""The git repository around a directory, without git."""

from __future__ import annotations

from pathlib import Path


def repository(directory: Path) -> Path | None:
    """The nearest directory from here upwards with a `.git`, which a worktree has as a file."""
    parents = (directory, *directory.parents)
    return next((parent for parent in parents if (parent / ".git").exists()), None)
