"""The options that several subcommands have, each declared once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from celvet.lint.cli.options.help import grouped
from celvet.lint.formats import Formats

FILE = click.Path(path_type=Path, readable=False, allow_dash=True)
"""A path as a user gives it: opening it tells whether it can be read, `-` is a standard stream."""


class _NamedFile(click.Path):
    name = "path"

    def __init__(self) -> None:
        super().__init__(path_type=Path, readable=False)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        if os.fspath(value) == "-":
            self.fail("standard input is not read here; name a file", param, ctx)
        return super().convert(value, param, ctx)


NAMED_FILE = _NamedFile()
"""The same where standard input is not read: `-` is refused."""

report, known, work = grouped("Report"), grouped("What is known"), grouped("Work")
"""Groups of options."""

config = known(
    "--config",
    type=NAMED_FILE,
    metavar="FILE",
    help="The configuration, not the nearest .celvet.yaml.",
)
"""A path or None."""

crds = known(
    "--crds",
    multiple=True,
    type=NAMED_FILE,
    metavar="PATH",
    help="CRDs of the objects: file, directory, archive.",
)
"""Paths."""

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


def schema_location(*, rare: bool = False) -> Callable[[_FunctionT], _FunctionT]:
    """`--schema-location`, texts; `rare` where `--help` has no line left for it."""
    return known(
        "--schema-location",
        rare=rare,
        multiple=True,
        metavar="TEMPLATE",
        help="Path or URL of JSON Schemas, as for kubeconform.",
    )


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
