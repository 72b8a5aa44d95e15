"""`--baseline` and `--update-baseline`: hide known findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from celvet.lint.cli.run.atomic_file import write
from celvet.lint.report.baseline import (
    BaselineError,
    NewFindings,
    hide_known,
    parse,
    text_of,
    updated_baseline,
)
from celvet.lint.report.fingerprint import Identity
from celvet.lint.report.report import FileReport
from celvet.record import record
from celvet.wrong_input import WrongInputError


@record
class BaselineFile:
    """The path of the baseline; with `update`, a run writes it."""

    path: Path
    update: bool

    def apply(self, files: Sequence[FileReport], root: str) -> NewFindings:
        """Leave out the findings in the baseline; report entries that no longer occur.

        Raises `WrongInputError` for a baseline that cannot be read or written.
        """
        identities = self._read()
        if self.update:
            identities = updated_baseline(files, identities, root)
            write(self.path, text_of(identities).encode())
        result = hide_known(files, identities, root)
        if result.stale_entries:
            click.echo(f"celvet: {self.path}: {_gone_message(result.stale_entries)}", err=True)
        return result

    def _read(self) -> Counter[Identity]:
        try:
            text = self.path.read_text(encoding="utf-8")
            return Counter() if self.update and not text.strip() else parse(text)
        except FileNotFoundError:
            if self.update:
                return Counter()
            problem = "No such file or directory; write it with --update-baseline"
        except UnicodeDecodeError:
            problem = "not UTF-8 text"
        except OSError as error:
            problem = error.strerror or str(error)
        except BaselineError as error:
            problem = str(error)
        raise WrongInputError(f"baseline {self.path}: {problem}")


def _gone_message(identities: Counter[Identity]) -> str:
    example = min(identities)
    number = "1 finding no longer occurs"
    if identities.total() > 1:
        number = f"{identities.total()} findings no longer occur"
    return f"{number} ({example.rule} in {example.file}); --update-baseline removes what is gone"
