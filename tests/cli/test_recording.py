"""Ctrl-C ends `kubectl get --watch` on one side of the pipe, and the recording on the other."""

from __future__ import annotations

import array
import fcntl
import os
import signal
import subprocess
import termios
from pathlib import Path

import pytest
import yaml

from tests.cli.command import PROGRAM, celvet
from tests.cli.test_lint import HEAD

pytestmark = pytest.mark.usefixtures("outside")

_ENTRY = """\
  healthCheckExprs:
    - {apiVersion: example.com/v1, kind: Thing, current: status.phase == 'Ready'}
"""
_WATCHED = """\
apiVersion: example.com/v1
kind: Thing
metadata: {name: one}
status: {phase: New}
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: one}
status: {phase: Ready}
"""


def _unread(pipe: int) -> int:
    number = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, number)
    return number[0]


def test_an_interrupt_ends_the_recording(tmp_path: Path) -> None:
    (tmp_path / "ks.yaml").write_text(HEAD + _ENTRY)
    reading, writing = os.pipe()
    command = [str(PROGRAM), "test", "--record", "ks.yaml", "-o", "new.yaml"]
    with subprocess.Popen(command, cwd=tmp_path, stdin=reading, stderr=subprocess.PIPE) as process:
        os.write(writing, _WATCHED.encode())
        while _unread(reading) and process.poll() is None:
            pass
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    os.close(reading)
    os.close(writing)
    assert process.returncode == 0, said
    (case,) = yaml.safe_load((tmp_path / "new.yaml").read_text())["cases"]
    assert case["expect"] == ["InProgress", "Current"]
    assert celvet("test", "new.yaml", cwd=tmp_path).status == 0
