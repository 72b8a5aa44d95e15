"""The paths of what an editor names by a URI."""

from __future__ import annotations

from pathlib import Path

from pygls.uris import to_fs_path


def path_of(uri: str) -> Path:
    """The path of a file's URI, else one of that name, which is nowhere.

    No path has a NUL character, and asking a system for one is an error.
    """
    return Path((to_fs_path(uri) or uri).replace("\0", "\ufffd"))
