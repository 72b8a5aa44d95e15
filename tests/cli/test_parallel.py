"""Work that several processes share."""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from collections.abc import Callable, Collection
from pathlib import Path

import pytest
from click import ClickException

from celvet.lint.cli import exit_status
from celvet.lint.cli.exit import Exit
from celvet.lint.cli.run.parallel import in_parallel, processes_for
from celvet.lint.repository.applications import Applications
from celvet.lint.repository.appliers import find_applications
from celvet.lint.repository.files import Files

forking = pytest.mark.skipif(
    sys.platform != "linux", reason="a function of a test is not picklable"
)


@pytest.mark.parametrize("count", [0, 1, 7, 1_000, 40_000])
@pytest.mark.parametrize("processes", [1, 2, 5])
def test_the_results_come_in_order(count: int, processes: int) -> None:
    assert [*in_parallel(str, range(count), processes)] == [*map(str, range(count))]


def test_processes_need_not_be_forks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celvet.lint.cli.run.parallel._FORKS", False)
    assert [*in_parallel(str, range(1_000), 2)] == [*map(str, range(1_000))]


@forking
def test_what_is_prepared_and_loaded_first_is_in_the_forks() -> None:
    prepared: list[int] = []
    loaded: list[int] = []

    def work(_: int) -> list[int]:
        if not loaded:
            loaded.append(os.getpid())
        return [*prepared, *loaded]

    results = in_parallel(work, range(100), 3, lambda: prepared.append(os.getpid()))
    assert list(results) == [[os.getpid()] * 2] * 100


@forking
@pytest.mark.parametrize(
    ("files", "size", "processes"),
    [(0, 0, 0), (49, 50_000, 1), (50, 0, 2), (5, 200_000, 2), (3, 10**7, 3), (1_000, 0, 4)],
)
def test_processes_pay_for_many_files_and_for_long_ones(
    files: int, size: int, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("celvet.lint.cli.run.parallel.cores", lambda: 4)
    assert processes_for(range(files), 0, size) == processes
    assert processes_for(range(files), 7, size) == 7


@forking
def test_processes_share_the_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, apps = tmp_path / "made", tmp_path / "apps"

    def noted(files: Files, patch_files: Collection[str]) -> Applications:
        with made.open("a") as file:
            file.write("once\n")
        return find_applications(files, patch_files)

    monkeypatch.setattr("celvet.lint.repository.index.find_applications", noted)
    apps.mkdir()
    for number in range(40):
        (apps / f"{number}.yaml").write_text(_APP.format(number))
    monkeypatch.setattr("sys.argv", ["celvet", "lint", "--no-cache", "--jobs", "3", str(apps)])
    assert exit_status(sys.argv[1:]) == Exit.CLEAN
    assert made.read_text() == "once\n"


_APP = """
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: app-{}, namespace: flux-system}}
spec: {{interval: 10m, path: ./apps, prune: true, sourceRef: {{kind: GitRepository, name: flux}}}}
"""


@forking
def test_all_processes_work(tmp_path: Path) -> None:
    def work(number: int) -> int:
        (tmp_path / str(os.getpid())).touch()
        _until(lambda: number == 0 or len([*tmp_path.iterdir()]) == 3)
        return os.getpid()

    assert len({*in_parallel(work, range(100), 3)}) == 3


def _until(reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 300
    while not reached() and time.monotonic() < deadline:
        time.sleep(0.005)


@forking
@pytest.mark.parametrize("last", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_process_that_is_killed_is_reported(last: signal.Signals, tmp_path: Path) -> None:
    here, begun = os.getpid(), tmp_path / "begun"

    def work(number: int) -> int:
        if os.getpid() != here:
            begun.touch()
            os.kill(os.getpid(), last)
        _until(lambda: number == 0 or begun.exists())
        return number

    with pytest.raises(ClickException, match="a process was killed"):
        list(in_parallel(work, range(100), 2))


@forking
def test_without_further_processes_this_one_does_all_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused() -> int:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refused)
    before = len([*Path("/proc/self/fd").iterdir()])
    assert list(in_parallel(str, range(100), 3)) == [*map(str, range(100))]
    assert len([*Path("/proc/self/fd").iterdir()]) == before


@forking
def test_a_process_that_fails_is_reported(tmp_path: Path) -> None:
    here, begun = os.getpid(), tmp_path / "begun"

    def work(number: int) -> int:
        if os.getpid() != here:
            begun.touch()
            return 1 // 0
        _until(lambda: number == 0 or begun.exists())
        return number

    with pytest.raises(ClickException, match="a process was killed"):
        list(in_parallel(work, range(100), 2))
