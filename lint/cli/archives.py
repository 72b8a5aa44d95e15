"""Hidden directories that nothing applies, where people keep what they took out of a cluster."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from celvet import schemas
from celvet.lint.discovery.root import absolute, repository
from celvet.lint.manifest.source.files import read_source
from celvet.lint.repository.surroundings import Repository


def archived_files(files: Sequence[Path], places: Sequence[Path]) -> dict[Path, Path]:
    """The files that an archive has, each with its directory; `places` are those that were named.

    An archive is a directory below a place whose name starts with a dot. A file in it counts if no
    object of its git repository may apply it, or only one that lies in an archive itself while the
    cluster lives elsewhere.
    """
    hidden_files = {file: directory for file in files if (directory := _hidden(file, places))}
    root = repository(absolute(next(iter(hidden_files))).parent) if hidden_files else None
    if root is None:
        return {}
    known_repository = Repository(root)
    groups = sorted({kind.group for kind in schemas.load().kinds if kind.group})
    names = b"|".join(re.escape(group.encode()) for group in groups)
    known_object = re.compile(rb"^apiVersion:[ \t]*['\"]?(?:" + names + rb")/", re.MULTILINE)
    hidden_names = {known_repository.name(str(file)) for file in hidden_files}
    return {
        file: directory
        for file, directory in hidden_files.items()
        if _holds_known_kind(file, known_object)
        and known_repository.index.is_unapplied(known_repository.name(str(file)), hidden_names)
    }


def _hidden(file: Path, places: Sequence[Path]) -> Path | None:
    """The hidden directory of a file, unless it or a path in it was named."""
    if "/." not in f"/{file.as_posix()}" or file in places:
        return None
    parts = file.parts[:-1]
    starts = (len(place.parts) for place in places if parts[: len(place.parts)] == place.parts)
    start = max(starts, default=0)
    ends = (end for end in range(start, len(parts)) if parts[end].startswith("."))
    end = next((end for end in ends if parts[end] != ".."), None)
    return None if end is None else Path(*parts[: end + 1])


def _holds_known_kind(file: Path, known_object: re.Pattern[bytes]) -> bool:
    """Whether an object of a known kind begins in a file, unlike one in a script of a workflow."""
    try:
        data = read_source(file)
    except OSError:
        return False
    return known_object.search(data) is not None
