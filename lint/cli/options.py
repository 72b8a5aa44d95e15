"""The options that several subcommands have, each declared once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from lint.cli.help import grouped
from lint.formats import Formats

FILE = click.Path(path_type=Path, readable=False, allow_dash=True)
"""A path as a user gives it: opening it tells whether it can be read, `-` is a standard stream."""

report, known, work = grouped("Report"), grouped("What is known"), grouped("Work")
"""Groups of options."""

config = known(
    "--config", type=FILE, metavar="FILE", help="The configuration, not the nearest .celvet.yaml."
)
"""A path or None."""

substitute = known(
    "--substitute",
    multiple=True,
    metavar="NAME=VALUE",
    help="A value for ${NAME}, as Flux has it; repeatable.",
)
"""Texts, which should be of this form."""

jobs = work(
    "-j",
    "--jobs",
    rare=True,
    type=click.IntRange(1, 256),
    metavar="N",
    help="How many processes.  [default: by the work]",
)
"""A number or None."""

output_files = report(
    "-o",
    "--output-file",
    "files",
    multiple=True,
    type=FILE,
    metavar="FILE",
    help="Where the --format of the same place goes.",
)
"""Paths, as `files`."""

_FunctionT = TypeVar("_FunctionT", bound=Callable[..., Any])


def formats(choice: Formats[Any]) -> Callable[[_FunctionT], _FunctionT]:
    """`--format` with these to choose from, as `formats`."""
    *others, default = choice.names()
    return report(
        "-f",
        "--format",
        "formats",
        multiple=True,
        type=click.Choice(choice.names()),
        metavar="FORMAT",
        help=f"{', '.join(others)}, {default} (default).",
    )
