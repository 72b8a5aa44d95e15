"""A real Helix, in tmux: it shows findings, asks for hover, applies a fix and writes the file.

It is configured by the lines that `docs/editors.md` tells a user to write.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.lsp.editors.tried import AFTER, BEFORE, PATH, configuration

_HELIX, _TMUX = shutil.which("hx"), shutil.which("tmux")
_PATIENCE = 300

pytestmark = pytest.mark.skipif(
    not (_HELIX and _TMUX), reason="there is no hx or no tmux here; Debian 13 has packages of both"
)


class Terminal:
    """A program in its own tmux terminal."""

    def __init__(self, directory: Path, *command: str) -> None:
        self._socket = str(directory / "tmux")
        given = {"PATH": PATH, "HOME": str(directory), "LC_ALL": "C.UTF-8"}
        session = ["new-session", "-d", "-x", "160", "-y", "50", "-c", str(directory)]
        self._tmux(*session, *command, env=os.environ | given)

    def _tmux(self, *command: str, env: Mapping[str, str] | None = None) -> str:
        full = [str(_TMUX), "-S", self._socket, "-f", os.devnull, *command]
        return subprocess.run(
            full, env=env, check=True, capture_output=True, encoding="utf-8"
        ).stdout

    def press(self, *keys: str) -> None:
        """Press keys, by their names in tmux."""
        self._tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        """Press the keys of a text as a person does: Helix 25.01 mixes up what comes at once."""
        for char in text:
            self._tmux("send-keys", "-l", char)
            time.sleep(0.05)

    def until(self, *texts: str) -> str:
        """Wait for texts on the screen; the screen."""
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            screen = self._tmux("capture-pane", "-p")
            if all(text in screen for text in texts):
                return screen
            time.sleep(0.1)
        raise AssertionError(f"{texts} not on this screen:\n{screen}")

    def end(self) -> None:
        self._tmux("kill-server")


@pytest.fixture
def helix(tmp_path: Path) -> Iterator[Terminal]:
    settings = tmp_path / ".config" / "helix" / "languages.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(configuration("Helix", "toml"), encoding="utf-8")
    (tmp_path / "ks.yaml").write_text(BEFORE, encoding="utf-8")
    terminal = Terminal(tmp_path, str(_HELIX), "ks.yaml")
    yield terminal
    terminal.end()


def test_a_user_at_work(helix: Terminal, tmp_path: Path) -> None:
    helix.until("●  12", "●  16")
    helix.type("/filter\\(e")
    helix.press("Enter")
    helix.type(" k")
    helix.until("| just created, without a status ", "| error        | error   | Unknown ")
    helix.press("Escape")
    helix.type(" a")
    helix.until("Write `exists` for `filter` and `all`.")
    helix.press("Enter")
    helix.until("failed: status.conditions.exists(e, e.type == 'Bereit")
    helix.type(":w")
    helix.press("Enter")
    helix.until("written")
    assert (tmp_path / "ks.yaml").read_text(encoding="utf-8") == AFTER
    helix.type("geofailed: status.conditions.exists(c, c.")
    words = helix.until("lastTransitionTime", "exists_one").split()
    assert words.index("type") < words.index("reason") < words.index("lastTransitionTime")
