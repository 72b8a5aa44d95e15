"""A directory whose files change all at once, as in a Secret that the kubelet mounts.

Each version of the files has a directory of its own. The link `..data` names the current version,
and each visible name is a link through it. Renaming a new link over `..data` changes everything at
once. A reader that resolves `..data` once sees one version; a crash at any point leaves the old or
the new one.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path

from celvet.certs.small_file import read_small

_DATA = "..data"
_VERSION_PREFIX = "..v-"
_LINK_SUFFIX = ".new"
_TRIES = 5


def current_version(directory: Path) -> str | None:
    """The current version; None before the first. Raises `OSError`."""
    try:
        return str((directory / _DATA).readlink())
    except FileNotFoundError:
        return None


def read_files(directory: Path, names: Collection[str]) -> tuple[dict[str, bytes], str | None]:
    """The files of one version by name, those that exist, and the version.

    Without a version, plain files of those names are read, as others may have put
    them there. Raises `OSError`.
    """
    for _ in range(_TRIES):
        version = current_version(directory)
        files = _read(directory / version if version else directory, names)
        if current_version(directory) == version:
            return files, version
    raise OSError(f"{directory} changes faster than it can be read")


def replace_files(
    directory: Path, files: Mapping[str, bytes], private: Collection[str] = ()
) -> None:
    """Replace all files at once; the change is durable when this returns.

    The `private` files get mode 0600, the others 0644. The directory must exist, and the caller
    must keep other writers out. Raises `OSError`.
    """
    former = current_version(directory)
    version = _new_version(directory, files, private)
    for name in files:  # they dangle until `_DATA` exists, so all names appear at once
        if not os.path.lexists(directory / name):
            _link(directory / name, f"{_DATA}/{name}")
    _link(directory / _DATA, version.name)
    for name in files:  # files that a user has copied here
        if not (directory / name).is_symlink():
            _link(directory / name, f"{_DATA}/{name}")
    _remove_stale_links(directory, files)
    _sync(directory)
    _clean(directory, keep={version.name, former})


def _new_version(directory: Path, files: Mapping[str, bytes], private: Collection[str]) -> Path:
    """Create a directory with the files; if the disk is full, it is removed again."""
    version = Path(tempfile.mkdtemp(prefix=_VERSION_PREFIX, dir=directory))
    try:
        for name, content in files.items():
            _write(version / name, content, 0o600 if name in private else 0o644)
        version.chmod(0o755)
        _sync(version)
    except OSError:
        shutil.rmtree(version, ignore_errors=True)
        raise
    return version


def _read(directory: Path, names: Collection[str]) -> dict[str, bytes]:
    files = {}
    for name in names:
        try:
            files[name] = read_small(directory / name)
        except FileNotFoundError:
            continue
    return files


def _write(path: Path, content: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, mode)  # whatever the umask says
        file.write(content)
        file.flush()
        os.fsync(descriptor)


def _link(path: Path, target: str) -> None:
    """Make or move a link in one step."""
    scratch = path.with_name(path.name + _LINK_SUFFIX)
    scratch.unlink(missing_ok=True)
    scratch.symlink_to(target)
    scratch.replace(path)


def _remove_stale_links(directory: Path, files: Collection[str]) -> None:
    for entry in directory.iterdir():
        through = entry.is_symlink() and entry.readlink().parent.name == _DATA
        if through and entry.name not in files:
            entry.unlink()


def _sync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _clean(directory: Path, keep: Collection[str | None]) -> None:
    """Remove versions that are no longer read, and what crashes left behind.

    The previous version stays, for readers that have already resolved it.
    """
    for entry in directory.glob(_VERSION_PREFIX + "*"):
        if entry.name not in keep:
            shutil.rmtree(entry, ignore_errors=True)
