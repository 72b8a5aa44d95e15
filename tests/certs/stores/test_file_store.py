"""The directory of a file store never has half-written files."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
import tempfile
import threading
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest

from celvet.certs.errors import StoreError
from celvet.certs.pki.bundle import Bundle
from celvet.certs.pki.material import ENTRIES, PRIVATE, encode
from celvet.certs.pki.names import Names
from celvet.certs.pki.pair import Pair
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.rotation.renewal import renew
from celvet.certs.stores.atomic_directory import current_version, read_files, replace_files
from celvet.certs.stores.file_store import FileStore
from tests.certs.virtual_time import START, run

NAMES = Names.parse(["webhook.celvet.svc"])
ONE, TWO, THREE = (encode(renew(Bundle(), START, RenewalPolicy(), NAMES).bundle) for _ in range(3))


def visible(directory: Path) -> dict[str, bytes]:
    """The files as any program sees them, by their names."""
    return {
        name: (directory / name).read_bytes() for name in ENTRIES if (directory / name).exists()
    }


def test_keys_are_private_whatever_the_umask(tmp_path: Path) -> None:
    umask = os.umask(0)
    try:
        run(FileStore(tmp_path / "store").write(ONE, None))
    finally:
        os.umask(umask)
    modes = {
        name: stat.S_IMODE((tmp_path / "store" / name).stat().st_mode)
        for name in visible(tmp_path / "store")
    }
    assert {name for name, mode in modes.items() if mode == 0o600} == PRIVATE & ONE.keys()
    assert {mode for name, mode in modes.items() if name not in PRIVATE} == {0o644}
    assert stat.S_IMODE((tmp_path / "store").stat().st_mode) == 0o700


def test_names_follow_what_is_stored(tmp_path: Path) -> None:
    replace_files(tmp_path, {**ONE, "next-ca.key": b"x"}, PRIVATE)
    assert visible(tmp_path)["next-ca.key"] == b"x"
    replace_files(tmp_path, TWO, PRIVATE)
    assert visible(tmp_path) == TWO
    assert not os.path.lexists(tmp_path / "next-ca.key")


def test_old_versions_do_not_pile_up(tmp_path: Path) -> None:
    for texts in (ONE, TWO, THREE, ONE):
        replace_files(tmp_path, texts, PRIVATE)
    assert len(list(tmp_path.glob("..v-*"))) == 2


def test_plain_files_that_were_copied_here_are_taken_over(tmp_path: Path) -> None:
    """As from a backup."""
    for name, text in ONE.items():
        (tmp_path / name).write_bytes(text)
    store = FileStore(tmp_path)
    snapshot = run(store.read())
    assert snapshot.material == ONE
    run(store.write(TWO, snapshot.version))
    assert visible(tmp_path) == TWO
    assert all((tmp_path / name).is_symlink() for name in TWO)


SYSTEM_CALLS = (
    (os, "open"),
    (os, "fchmod"),
    (os, "fsync"),
    (Path, "chmod"),
    (Path, "symlink_to"),
    (Path, "replace"),
    (Path, "unlink"),
    (tempfile, "mkdtemp"),
    (shutil, "rmtree"),
)


class _CrashError(BaseException):
    """The process ends here, and none of our handlers may run."""


def crash_at(monkeypatch: pytest.MonkeyPatch, call: int) -> list[str]:
    """Crash at the nth system call of any kind; gives the list of those made."""
    made: list[str] = []

    def wrapped(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*arguments: Any, **options: Any) -> Any:
            made.append(name)
            if len(made) == call:
                raise _CrashError
            return function(*arguments, **options)

        return wrapper

    for owner, name in SYSTEM_CALLS:
        monkeypatch.setattr(owner, name, wrapped(name, getattr(owner, name)))
    return made


def test_a_crash_at_any_point_leaves_the_old_or_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = set()
    for call in range(1, 200):
        directory = tmp_path / str(call)
        directory.mkdir()
        replace_files(directory, ONE, PRIVATE)
        with monkeypatch.context() as patch:
            made = crash_at(patch, call)
            try:
                replace_files(directory, TWO, PRIVATE)
            except _CrashError:
                pass
            else:
                break
        found = read_files(directory, ENTRIES)[0]
        assert found in (ONE, TWO), made
        assert visible(directory) == found, made
        seen.add(found == TWO)
        replace_files(directory, THREE, PRIVATE)  # what comes next cleans up
        assert visible(directory) == THREE
        assert not list(directory.glob("*.new"))
        assert len(list(directory.glob("..v-*"))) == 2
    else:
        pytest.fail("it never came to an end")
    assert seen == {False, True}


def test_a_crash_at_the_first_write_leaves_nothing_or_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for call in range(1, 200):
        directory = tmp_path / str(call)
        directory.mkdir()
        with monkeypatch.context() as patch:
            crash_at(patch, call)
            try:
                replace_files(directory, ONE, PRIVATE)
            except _CrashError:
                pass
            else:
                return
        assert visible(directory) in ({}, ONE)


@pytest.mark.usefixtures("frequent_switches")
def test_no_reader_ever_sees_two_versions_mixed(tmp_path: Path) -> None:
    """Every pair read while another thread writes belongs together; some reads may give up."""
    replace_files(tmp_path, ONE, PRIVATE)
    done = threading.Event()

    def write() -> None:
        for turn in range(60):
            replace_files(tmp_path, (TWO, THREE, ONE)[turn % 3], PRIVATE)
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    written = False
    while not written:
        written = done.is_set()  # the last read, of what stays, never gives up
        with nullcontext() if written else suppress(OSError):
            files, _ = read_files(tmp_path, ENTRIES)
            Pair.read(files["tls.crt"], files["tls.key"])
            assert files in (ONE, TWO, THREE)
    writer.join(timeout=300)


def test_a_reader_in_the_version_before_finishes(tmp_path: Path) -> None:
    replace_files(tmp_path, ONE, PRIVATE)
    resolved = tmp_path / str(current_version(tmp_path))
    replace_files(tmp_path, TWO, PRIVATE)
    assert (resolved / "tls.key").read_bytes() == ONE["tls.key"]


def test_processes_take_turns(tmp_path: Path) -> None:
    """Writers that all read the same version: one wins, the others get an error."""
    store = FileStore(tmp_path)

    async def main() -> list[object]:
        writes = (store.write(texts, None) for texts in (ONE, TWO, THREE))
        return list(await asyncio.gather(*writes, return_exceptions=True))

    results = run(main())
    assert [type(result).__name__ for result in results if result] == ["ConflictError"] * 2


@pytest.mark.parametrize("what", ["read", "write"])
def test_a_directory_that_is_a_file_is_reported(tmp_path: Path, what: str) -> None:
    path = tmp_path / "file"
    path.write_text("x")
    store = FileStore(path)
    with pytest.raises(StoreError, match=rf"cannot {what} `.*file`: "):
        run(store.read() if what == "read" else store.write(ONE, None))


def test_a_full_disk_leaves_the_former_files_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_files(tmp_path, {"a": b"old", "b": b"old"})
    before = sorted(each.name for each in tmp_path.iterdir())

    def fsync(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(os, "fsync", fsync)
        with pytest.raises(OSError, match="No space"):
            replace_files(tmp_path, {"a": b"new", "b": b"new"})
    assert read_files(tmp_path, ["a", "b"])[0] == {"a": b"old", "b": b"old"}
    assert sorted(each.name for each in tmp_path.iterdir()) == before


def test_a_pipe_a_device_and_a_large_file_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "tls.crt"
    os.mkfifo(path)
    with pytest.raises(StoreError, match=r"cannot read `.*`: `tls\.crt` is not a regular file"):
        run(FileStore(tmp_path).read())
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(StoreError, match="is not a regular file"):
        run(FileStore(tmp_path).read())
    path.unlink()
    path.write_bytes(b"x" * ((1 << 20) + 1))
    with pytest.raises(StoreError, match=r"`tls\.crt` is larger than 1 MiB"):
        run(FileStore(tmp_path).read())


def test_a_link_instead_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()
    other.chmod(0o644)
    store = FileStore(tmp_path / "store")
    store.directory.mkdir()
    (store.directory / "..lock").symlink_to(other)
    with pytest.raises(StoreError, match="symbolic link"):
        run(store.write(ONE, None))
    assert stat.S_IMODE(other.stat().st_mode) == 0o644
