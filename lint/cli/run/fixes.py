"""Fixes the files that `celvet lint --fix` is given, then shows or writes the changes."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

import click

from celvet.lint.cli.run import atomic_file
from celvet.lint.engine import Settings, lint_text
from celvet.lint.engine.fix import FileFixes as EngineFix
from celvet.lint.engine.fix import fix
from celvet.lint.engine.ignores import ignore
from celvet.lint.model import Severity
from celvet.lint.report.printer import count
from celvet.lint.report.report import FileReport, FixedFile, Report, file_report, path_from
from celvet.record import replace


def fix_file(
    data: bytes, name: str, settings: Settings, *, unsafe: bool, minimum: Severity
) -> FileReport:
    """The report of a file after its fixes; one that is not in UTF-8 is not fixed but noted."""
    return _file_report(
        fix(data, name, settings, unsafe=unsafe, minimum=minimum), data, name, settings
    )


def ignore_file(data: bytes, name: str, settings: Settings, minimum: Severity) -> FileReport:
    """The report of a file with a comment for each finding that one can suppress alone."""
    return _file_report(ignore(data, name, settings, minimum=minimum), data, name, settings)


def _file_report(outcome: EngineFix, data: bytes, name: str, settings: Settings) -> FileReport:
    if outcome.before == outcome.after:
        return file_report(outcome.result)
    mark = "\ufeff" if outcome.result.manifest and outcome.result.manifest.bom else ""
    if data != (mark + outcome.before).encode():
        note = f"{name}: not UTF-8, so nothing is fixed; save it as UTF-8"
        return file_report(replace(lint_text(data, name, settings), notes=(note,)))
    return file_report(
        outcome.result,
        rewritten=FixedFile(mark + outcome.before, mark + outcome.after, outcome.titles),
    )


def write(report: Report, done: str) -> None:
    """Write the changed files and say what was `done`; raises `WrongInputError` on failure."""
    for name, rewritten in report.rewritten:
        atomic_file.write(Path(name), rewritten.new_text.encode())
        for title in rewritten.titles:
            click.echo(f"{done} {name}: {title}", err=True)
    number = sum(len(change.titles) for _, change in report.rewritten)
    if number > 1:
        places = count(len(report.rewritten), "file")
        click.echo(f"{done} {count(number, 'finding')} in {places}", err=True)


def diff(report: Report) -> Iterator[str]:
    """The lines of a unified diff that `git apply` and `patch -p1` take in this directory."""
    directory = str(Path.cwd())
    for name, rewritten in report.rewritten:
        old_lines, new_lines = (_lines(text) for text in (rewritten.old_text, rewritten.new_text))
        path = path_from(directory, name).lstrip("/")
        for line in difflib.unified_diff(old_lines, new_lines, f"a/{path}", f"b/{path}"):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """The lines as patch counts them, with their line feeds."""
    *lines, rest_of_line = text.split("\n")
    return [*(f"{line}\n" for line in lines), *([rest_of_line] if rest_of_line else [])]
