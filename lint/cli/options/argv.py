"""Arguments of the command line that click would take for something else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from celvet.lint.cli.run.discover import SUFFIXES

DASHED = "--dashed-files"
"""The option that takes the names of files for files, whatever they begin with."""

_END = "--"
"""What follows it is no option for click."""


def told_apart(arguments: Sequence[str]) -> list[str]:
    """The arguments with the files that would pass for options behind all options.

    pre-commit puts the names of a commit's files after the arguments that the
    user gives, and nothing between: a file `--baseline=b.json` must not become
    the baseline. So it is a file if there is one of that name, and a YAML or JSON
    file, as all are that the hooks ask for.
    """
    if _END in arguments or DASHED not in arguments:
        return list(arguments)
    files = set(_dashed_files(arguments))
    options = [each for each in arguments if each not in files]
    return [*options, _END, *(each for each in arguments if each in files)]


def _dashed_files(arguments: Iterable[str]) -> Iterable[str]:
    return (
        each
        for each in arguments
        if each.startswith("-") and each.endswith(SUFFIXES) and Path(each).is_file()
    )
