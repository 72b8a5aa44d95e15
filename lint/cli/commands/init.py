"""`celvet init`: a configuration to begin with."""

from __future__ import annotations

from pathlib import Path

import click

from celvet.lint.config import NAME

_TEMPLATE = """\
# yaml-language-server: $schema=https://github.com/celvet/celvet/raw/main/docs/celvet.schema.json
# Every key is optional; paths and patterns count from the directory of this file.

# exclude: [vendor/]              # files to leave out: patterns as in .gitignore
# rules:
#   missing-failed: off           # or info, warning, error; `celvet rules` lists them
# files:                          # other severities for some files
#   archive/: {premature-failed: info}
# substitute: {CLUSTER: eu-1}     # values for ${CLUSTER}
# targets: {flux: "2.9"}          # what your clusters run; otherwise the newest release
# crds: [crds/]                   # files, directories, archives of CRDs
# baseline: .celvet-baseline.json # findings to leave out
fail-on: warning
"""


@click.command("init")
@click.argument("directory", type=click.Path(path_type=Path), default=Path(), metavar="[DIR]")
def command(directory: Path) -> None:
    """Write a configuration with every key explained.

    Writes .celvet.yaml into DIR, by default the current directory. It never
    overwrites a file.
    """
    file = directory / NAME
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(_TEMPLATE)
    except FileExistsError:
        raise click.UsageError(f"{file} exists") from None
    except OSError as error:
        raise click.UsageError(f"{file}: {error.strerror or error}") from None
    click.echo(f"wrote {file}; next: `celvet lint {directory}`")
