"""`--baseline` and `--update-baseline`: the findings that are known already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from celvet.lint.cli.run.files import write
from celvet.lint.report.baseline import BaselineError, Sifted, found, read, sifted, written
from celvet.lint.report.fingerprint import Identity
from celvet.lint.report.report import Examined


@dataclass(frozen=True, slots=True)
class BaselineFile:
    """Where the baseline is; with `update`, a run writes it."""

    path: Path
    update: bool

    def sift(self, files: Sequence[Examined], root: str) -> Sifted:
        """Leave out what the baseline has, and say on standard error what it has in vain.

        Raises `click.UsageError` for a file that cannot be read or written.
        """
        known = self._read()
        if self.update:
            known = found(files, known, root)
            self._write(known)
        result = sifted(files, known, root)
        if result.gone:
            click.echo(f"celvet: {self.path}: {_told(result.gone)}", err=True)
        return result

    def _read(self) -> Counter[Identity]:
        try:
            text = self.path.read_text(encoding="utf-8")
            return Counter() if self.update and not text.strip() else read(text)
        except FileNotFoundError:
            if self.update:
                return Counter()
            raise click.UsageError(
                f"baseline {self.path}: No such file or directory; write it with --update-baseline"
            ) from None
        except UnicodeDecodeError:
            raise click.UsageError(f"baseline {self.path}: this is no text in UTF-8") from None
        except OSError as error:
            raise click.UsageError(f"baseline {self.path}: {error.strerror or error}") from None
        except BaselineError as error:
            raise click.UsageError(f"baseline {self.path}: {error}") from None

    def _write(self, known: Counter[Identity]) -> None:
        write(self.path, written(known).encode())


def _told(gone: Counter[Identity]) -> str:
    first = min(gone)
    number = "1 finding occurs" if gone.total() == 1 else f"{gone.total()} findings occur"
    example = f"{first.rule} in {first.file}"
    return f"{number} no more ({example}); --update-baseline drops what is gone"
