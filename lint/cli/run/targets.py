"""The targets of reports: standard output and files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from itertools import combinations, zip_longest
from pathlib import Path
from typing import TypeVar

from celvet.lint.cli.run import atomic_file
from celvet.lint.formats import Formats
from celvet.lint.report.layout import Grouping, Layout
from celvet.record import record
from celvet.wrong_input import WrongInputError

ReportT = TypeVar("ReportT")
_STDOUT = Path("-")


@record
class ReportTarget:
    """A format and the file for it; `-` is standard output."""

    format: str
    file: Path

    def write(self, formats: Formats[ReportT], report: ReportT) -> None:
        """Write the report; raises `click.ClickException` if the file cannot be written."""
        render = formats.renderer(self.format)
        if self.file == _STDOUT:
            color = _wants_color()
            write_out(render(report, color), color=color)
            return

        atomic_file.write(self.file, render(report, False).encode())


def write_out(text: str, *, color: bool) -> None:
    """Write a text to standard output, as `click.echo` does."""
    if sys.stdout is None or sys.stdout.encoding != "utf-8" or (not color and "\x1b" in text):
        import click  # it handles other encodings, and removes colors

        click.echo(text, nl=False, color=color)
    else:
        sys.stdout.write(text)
        sys.stdout.flush()


def targets(
    formats: Sequence[str],
    files: Sequence[Path],
    inputs: Sequence[Path] = (),
    trees: Sequence[Path] = (),
) -> list[ReportTarget]:
    """Pair formats and files in the order given; one format may go to standard output.

    Raises `WrongInputError` for a file without a format, two formats for one file, and a report
    that would overwrite an input: one of the files in `read`, or any below one of the `trees`.
    """
    for file in files:
        assure_unread(file, inputs, trees)
    format_names = formats or ("text",)
    if len(files) > len(format_names):
        raise WrongInputError("there are more --output-file than --format; give one for each")
    report_targets = [
        ReportTarget(name, file or _STDOUT) for name, file in zip_longest(format_names, files)
    ]
    for first_file, second_file in combinations([target.file for target in report_targets], 2):
        if first_file == second_file or (
            _STDOUT not in (first_file, second_file) and _is_one_file(first_file, second_file)
        ):
            name = "standard output" if second_file == _STDOUT else str(second_file)
            raise WrongInputError(f"two formats would go to {name}; give an --output-file to each")
    return report_targets


def assure_unread(file: Path, inputs: Iterable[Path], trees: Iterable[Path] = ()) -> None:
    """Raise `WrongInputError` for a report that would overwrite an input."""
    if file == _STDOUT or not (
        any(_is_one_file(file, path) for path in inputs if path != _STDOUT)
        or (file.exists() and any(_real(file).is_relative_to(_real(tree)) for tree in trees))
    ):
        return
    raise WrongInputError(f"{file} is an input; give another --output-file")


def _is_one_file(first_file: Path, second_file: Path) -> bool:
    """Whether both paths are the same regular file, which need not exist yet."""
    try:
        return first_file.samefile(second_file) and first_file.is_file()
    except OSError:
        return _real(first_file) == _real(second_file)


def _real(path: Path) -> Path:
    """The path with all links followed; unlike `Path.resolve`, raises nothing for a loop."""
    return Path(os.path.realpath(path))


def layout(group_by: Grouping, *, statistics: bool, quiet: bool) -> Layout:
    """The layout for standard output; a terminal, or COLUMNS, gives the width."""
    terminal = sys.stdout is not None and sys.stdout.isatty()
    width = 0
    if terminal or "COLUMNS" in os.environ:
        from shutil import get_terminal_size

        width = get_terminal_size().columns
    return Layout(group_by, statistics, quiet, width, links=terminal and _wants_color())


def _wants_color() -> bool:
    """Whether to use colors: on a terminal, unless NO_COLOR (no-color.org) is set or it is dumb."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "").lower() not in ("", "0", "false"):
        return True
    return sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
