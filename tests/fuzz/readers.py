"""Feeds damaged files to the command: each session of `tests/cli` with one file changed."""

from __future__ import annotations

import shlex
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.cli.command import celvet
from tests.fuzz.mutations import changed_bytes, changed_text
from tests.tables import read_table

_SESSIONS = Path(__file__).parents[1] / "cli" / "sessions"
_MEMORY = 1 << 30
_SECONDS = 20
_STATUSES = {0, 1, 2, 4}
"""Every exit status except that of a bug in celvet and those of a killed process."""


@dataclass(frozen=True, slots=True)
class Session:
    """A command and the files in its directory."""

    run: str
    files: dict[str, bytes]
    stdin: bytes


@dataclass(frozen=True, slots=True)
class Crash:
    """A session that did not end as it should."""

    session: Session
    damaged: str
    said: str


class Damage:
    """Damages one file of one session after another; the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._sessions = [*_sessions()]
        self._contents = [data for each in self._sessions for data in each.files.values()]

    def next(self) -> tuple[Session, str]:
        """A session, and the name of the damaged file (`-` for standard input)."""
        session = self._random.choice(self._sessions)
        names = [*session.files, *(["-"] if session.stdin else [])]
        name = self._random.choice(names)
        if name == "-":
            return Session(session.run, session.files, self._damaged(session.stdin)), name
        files = {**session.files, name: self._damaged(session.files[name])}
        return Session(session.run, files, session.stdin), name

    def _damaged(self, data: bytes) -> bytes:
        if self._random.random() < 0.4:
            return changed_bytes(self._random, data, self._contents)
        others = [other.decode() for other in self._random.choices(self._contents, k=4)]
        return changed_text(self._random, data.decode(), others).encode()


def crash(session: Session, damaged: str) -> Crash | None:
    """How a session failed; None if it ended as it should."""
    with tempfile.TemporaryDirectory(prefix="celvet-fuzz-") as name:
        directory = Path(name)
        for file, data in session.files.items():
            path = directory / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        _, *arguments = shlex.split(session.run)
        try:
            ran = celvet(
                *arguments, cwd=directory, stdin=session.stdin, memory=_MEMORY, cpu=_SECONDS
            )
        except AssertionError as error:
            return Crash(session, damaged, str(error))
    if ran.status in _STATUSES:
        return None
    return Crash(session, damaged, f"status {ran.status}\n{ran.err}")


def manifests() -> list[str]:
    """The YAML texts of the sessions."""
    files = {**{name: data for each in _sessions() for name, data in each.files.items()}}
    return [data.decode() for name, data in files.items() if name.endswith((".yaml", ".yml"))]


def _sessions() -> list[Session]:
    found = []
    for path in sorted(_SESSIONS.glob("*.yaml")):
        table: dict[str, Any] = read_table(path)
        for case in table["cases"]:
            files = {**table["files"], **case.get("files", {})}
            data = {name: text.encode() for name, text in files.items()}
            if data:
                found.append(Session(case["run"], data, case.get("input", "").encode()))
    return found
