"""Where a report goes: to the terminal, and to files that are never half-written."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

import click

from lint.cli import files
from lint.formats import Formats

ReportT = TypeVar("ReportT")
_STDOUT = Path("-")


@dataclass(frozen=True, slots=True)
class Target:
    """One format and the file that takes it; `-` is standard output."""

    format: str
    file: Path

    def write(self, formats: Formats[ReportT], report: ReportT) -> None:
        """Write the report; raises `click.ClickException` if the file cannot be written."""
        render = formats.renderer(self.format)
        if self.file == _STDOUT:
            color = wants_color()
            click.echo(render(report, color), nl=False, color=color)
            return
        files.write(self.file, render(report, False).encode())


def targets(
    formats: Sequence[str], files: Sequence[Path], read: Sequence[Path] = ()
) -> list[Target]:
    """Pair formats and files in the order given; one format may go to standard output.

    Raises `click.UsageError` where that leaves a file without a format, two
    formats for one place, or a report in the place of a file that is to be `read`.
    """
    for file in files:
        if file != _STDOUT and any(_is_same(file, each) for each in read):
            raise click.UsageError(f"{file} is to be read; give another --output-file")
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


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def wants_color() -> bool:
    """On a terminal, unless NO_COLOR (no-color.org) or a dumb terminal says otherwise."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "").lower() not in ("", "0", "false"):
        return True
    return sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
