"""`celvet lint --watch`: a new report for each change, whatever is wrong meanwhile."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.command import celvet

_WRONG = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps}
spec:
  wait: true
  healthCheckExprs:
    - {apiVersion: a/v1, kind: A, current: status.x =, failed: status.y}
"""
_WATCHES = "celvet: watching for changes; Ctrl+C ends\n"


@contextmanager
def _watching(directory: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "celvet", "lint", "--watch", "--no-cache", *arguments]
    with subprocess.Popen(
        command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait() == 130


def _report(process: subprocess.Popen[str]) -> str:
    """What it prints until it watches again."""
    assert process.stdout
    lines = []
    while not (line := process.stdout.readline()).endswith(_WATCHES):
        assert line, "".join(lines)
        lines.append(line)
    return "".join(lines)


def test_each_change_of_a_file_gives_a_new_report(tmp_path: Path) -> None:
    file = tmp_path / "apps.yaml"
    file.write_text(_WRONG)
    with _watching(tmp_path) as process:
        assert "cel-syntax" in _report(process)
        file.write_text(_WRONG.replace("status.x =,", "status.x == 1,"))
        assert "cel-syntax" not in _report(process)
        (tmp_path / "other.yaml").write_text(_WRONG)
        assert "other.yaml" in _report(process)
        (tmp_path / ".celvet.yaml").write_text("rules: {cel-syntax: off}\n")
        assert "cel-syntax" not in _report(process)


def test_a_mistake_in_the_configuration_does_not_end_it(tmp_path: Path) -> None:
    (tmp_path / "apps.yaml").write_text(_WRONG)
    with _watching(tmp_path, "apps.yaml") as process:
        _report(process)
        (tmp_path / ".celvet.yaml").write_text("rules: {no-such: off}\n")
        assert "no-such" in _report(process)
        (tmp_path / ".celvet.yaml").unlink()
        assert "cel-syntax" in _report(process)


def test_standard_input_cannot_be_watched(tmp_path: Path) -> None:
    ran = celvet("lint", "--watch", "-", cwd=tmp_path)
    assert ran.status == 2
    assert "standard input can be read only once" in ran.err


def test_a_path_that_does_not_exist_ends_it(tmp_path: Path) -> None:
    assert celvet("lint", "--watch", "none", cwd=tmp_path).status == 2
