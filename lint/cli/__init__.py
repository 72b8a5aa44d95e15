"""The command `celvet`: argv in, exit status out.

`commands` has a module for each subcommand, loaded when it is named; `options` what several of
them accept; `run` what they do. A package imports only those after it.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from click import UsageError


class Exit(IntEnum):
    """The exit statuses, the same for every subcommand."""

    CLEAN = 0
    FINDINGS = 1
    USAGE = 2
    INTERNAL = 3


def main() -> NoReturn:
    """Run the command line and end the process with its status."""
    # What is read has hardly any cycles; visiting it again and again would take a fifth of a run.
    gc.set_threshold(100_000, 20, 20)
    status = exit_status(sys.argv[1:])
    os._exit(status)  # to free what was loaded, piece by piece, takes a seventh of a run for a file


def exit_status(arguments: Sequence[str]) -> int:
    """The exit status, with all output written; no input causes a traceback."""
    try:
        status = _shown(arguments)
        _flush()
    except KeyboardInterrupt:
        tell("")  # what comes next is to begin a line
        status = 130
    except BrokenPipeError:  # the reader has gone, as in `celvet lint . | head`
        status = Exit.CLEAN
    except OSError as error:
        # Errors of files are handled where they are opened, so this one is from the output.
        tell(f"celvet: cannot write the output: {error.strerror or error}")
        status = Exit.USAGE
    return status


def _shown(arguments: Sequence[str]) -> int:
    """The exit status, with errors shown, except those of the output."""
    try:
        return _run(arguments)
    except OSError:
        raise
    except Exception as error:
        from celvet.lint.cli.commands import shown

        return shown(error)


def _run(arguments: Sequence[str]) -> int:
    """Lint if that is plainly asked for; all else is read by click."""
    from celvet.lint.cli.options.plain import plain_options

    chosen = plain_options(arguments, os.environ)
    if chosen is not None:
        from celvet.lint.cli.run.lint_command import LintOptions, lint

        return lint(LintOptions(**chosen))
    from celvet.lint.cli.commands import run

    return run()


def wrong_usage(message: str) -> UsageError:
    """The error of a command line that asks for what cannot be done; click shows it."""
    from click import UsageError

    return UsageError(message)


def tell(message: str) -> None:
    """Write a line to standard error."""
    import click  # it takes a third of a run that has nothing to tell

    click.echo(message, err=True)


def _flush() -> None:
    """Raise now, not when Python exits, if the output cannot be written."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    sys.stdout.flush()
