"""Writes new health tests, for checks in manifests and from watched objects."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from celvet.lint.cli.run.atomic_file import write
from celvet.lint.engine import Settings
from celvet.lint.healthtest.read.fixtures import Fixtures, require_readable
from celvet.lint.healthtest.scaffold.record import record
from celvet.lint.healthtest.scaffold.scaffold import scaffold
from celvet.lint.manifest.file_limits import MAX_BYTES
from celvet.lint.manifest.source.files import STDIN
from celvet.wrong_input import WrongInputError

_CHUNK = 65536


def write_tests(
    paths: Sequence[Path],
    filter_text: str,
    target: Path,
    settings: Settings,
    *,
    from_recording: bool,
) -> None:
    """Write tests for the checks with `filter_text` in their title to a new file, or `-`.

    With `from_recording` it is one test, of the objects on standard input. Raises `WrongInputError`
    if a manifest cannot be read or has no name for a test to refer to, none has such a check, or
    the file exists.
    """
    if STDIN in paths:
        raise WrongInputError("a test refers to the file of its target; name the file, not `-`")
    if target != STDIN and target.exists():
        raise WrongInputError(f"{target} exists already; give another --output-file")
    fixtures = Fixtures(Path(), settings.substitutions, settings.catalog)
    directory = Path() if target == STDIN else target.parent
    manifests = [fixtures.manifest(str(path), ()) for path in paths]
    if from_recording:
        versions = fixtures.objects(_until_interrupted(), "standard input")
        text = record(versions, manifests, filter_text, directory, fixtures.catalog)
    else:
        text = scaffold(manifests, filter_text, directory, fixtures.catalog)
    for manifest in manifests if not text else ():
        require_readable(manifest)
    if not text:
        name_clause = f" with `{filter_text}` in its title" if filter_text else ""
        where = ", ".join(map(str, paths))
        raise WrongInputError(f"no health check{name_clause} can be tested in {where}")
    if target == STDIN:
        click.echo(text, nl=False)
    else:
        write(target, text.encode())


def _until_interrupted() -> bytes:
    """The content of standard input, until it ends or the user ends it.

    Ctrl-C is how `kubectl get --watch` ends, and it reaches both sides of the pipe.
    """
    stdin, nothing = sys.stdin.fileno(), os.open(os.devnull, os.O_RDONLY)

    def end(*_: object) -> None:
        click.echo(err=True)
        os.dup2(nothing, stdin)  # an exception could lose what has just been read

    former_handler = signal.signal(signal.SIGINT, end)
    try:
        chunks = [os.read(stdin, _CHUNK)]
        while chunks[-1] and sum(map(len, chunks)) <= MAX_BYTES:
            chunks.append(os.read(stdin, _CHUNK))
    finally:
        signal.signal(signal.SIGINT, former_handler)
        os.close(nothing)
    return b"".join(chunks)
