"""Where a report goes: to the terminal, and to files that are never half-written."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lint import output

if TYPE_CHECKING:
    from lint.report import Report

_STDOUT = Path("-")


@dataclass(frozen=True, slots=True)
class Target:
    """One format and the file that takes it; `-` is standard output."""

    format: str
    file: Path

    def write(self, report: Report) -> None:
        """Write the report; raises `click.ClickException` if the file cannot be written."""
        render = output.renderer(self.format)
        if self.file == _STDOUT:
            color = _wants_color()
            click.echo(render(report, color), nl=False, color=color)
            return
        try:
            _replace(self.file, render(report, False))
        except OSError as error:
            message = f"cannot write {self.file}: {error.strerror or error}"
            raise click.UsageError(message) from None


def targets(formats: Sequence[str], files: Sequence[Path]) -> list[Target]:
    """Pair formats and files in the order given; one format may go to standard output.

    Raises `click.UsageError` where that leaves a file without a format, or two
    formats for one place.
    """
    named = formats or ("text",)
    if len(files) > len(named):
        raise click.UsageError("there are more --output-file than --format; give one for each")
    found = [Target(each, file or _STDOUT) for each, file in zip_longest(named, files)]
    places = [target.file for target in found]
    for place in places:
        if places.count(place) > 1:
            name = "standard output" if place == _STDOUT else str(place)
            raise click.UsageError(f"two formats would go to {name}; give an --output-file to each")
    return found


def _wants_color() -> bool:
    """On a terminal, unless NO_COLOR (no-color.org) or a dumb terminal says otherwise."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _replace(file: Path, text: str) -> None:
    """Put a text in the place of a file at once: a reader sees the old one or the new one."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as temporary:
            temporary.write(text)
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    """The mode bits that new files do not get; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
