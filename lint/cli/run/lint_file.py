"""Lints one file after the other, each for itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from celvet.lint.cli.run.fixes import fixed
from celvet.lint.crds.files import may_define
from celvet.lint.engine import Settings, lint_text
from celvet.lint.manifest.source.files import STDIN, read_source
from celvet.lint.model import Severity
from celvet.lint.report.report import Examined, examined


@dataclass(frozen=True, slots=True)
class Lint:
    """What to do with a path; can be sent to another process.

    With `fix` findings that can be fixed are, with `unsafe` also those whose
    fix changes what an entry says; findings below `minimum` are not fixed.
    """

    settings: Settings
    stdin_filename: str
    fix: bool = False
    unsafe: bool = False
    minimum: Severity = Severity.INFO

    def __call__(self, path: Path) -> Examined:
        """Read and judge a file; one that cannot be opened says why."""
        name = self.stdin_filename if path == STDIN else path.as_posix()
        try:
            data = read_source(path)
        except OSError as error:
            return Examined(name, unread=error.strerror or str(error))
        if self.fix:
            return fixed(data, name, self.settings, unsafe=self.unsafe, minimum=self.minimum)
        return examined(lint_text(data, name, self.settings), may_define(data))
