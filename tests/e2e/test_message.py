"""docs/install.md shows what the terminal prints, word for word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.e2e.cluster import Cluster

_GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "install.md").read_text(encoding="utf-8")
_SESSION = re.compile(
    r"<!-- e2e: (?P<file>\S+) -->\n\n```yaml\n(?P<manifest>.*?)```\n\n"
    r"```console\n\$ (?P<command>kubectl .*?)\n(?P<shown>.*?)```",
    re.DOTALL,
)
_SESSIONS = list(_SESSION.finditer(_GUIDE))


def test_the_guide_shows_a_refusal_and_a_warning() -> None:
    assert len(_SESSIONS) == _GUIDE.count("<!-- e2e: ") == 2


@pytest.mark.usefixtures("release")
@pytest.mark.parametrize("session", _SESSIONS, ids=lambda each: each["file"])
def test_the_terminal_shows_what_the_guide_shows(
    session: re.Match[str], cluster: Cluster, tmp_path: Path
) -> None:
    (tmp_path / session["file"]).write_text(session["manifest"])
    told = cluster.kubectl(*session["command"].split()[1:], cwd=tmp_path)
    assert told.err + told.out == session["shown"]
