"""The command line: arguments in, exit status out."""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from celvet.lint.cli.exit import Exit, tell


def main() -> NoReturn:
    """Run the command line and end the process with its status."""
    # Parsed files have hardly any reference cycles; collecting garbage would take a fifth of a
    # run.
    gc.set_threshold(100_000, 20, 20)
    status = exit_status(sys.argv[1:])
    os._exit(status)  # freeing all objects takes a seventh of a run for one file


def exit_status(arguments: Sequence[str]) -> int:
    """The exit status, with all output written; no input causes a traceback."""
    try:
        status = _run_showing_errors(arguments)
        _flush()
    except KeyboardInterrupt:
        tell("")  # the next output must begin a line
        status = 130
    except BrokenPipeError as error:  # the reader is gone, as in `celvet lint . | head`
        # click writes a line about an interrupt, for which there may be no reader either.
        status = 130 if isinstance(error.__context__, KeyboardInterrupt) else Exit.CLEAN
    except OSError as error:
        # Errors of files are handled where they are opened, so one without a name is from the
        # output. Those with a name are of paths that cannot even be looked up.
        name = error.filename or "cannot write the output"
        tell(f"celvet: {name}: {error.strerror or error}")
        status = Exit.USAGE
    return status


def _run_showing_errors(arguments: Sequence[str]) -> int:
    """The exit status, with errors shown, except those of the output."""
    try:
        return _run(arguments)
    except OSError:
        raise
    except Exception as error:
        from celvet.lint.cli.subcommands import show_error

        return show_error(error)


def _run(arguments: Sequence[str]) -> int:
    """Run a plain `lint` directly; click reads everything else."""
    from celvet.lint.cli.options.plain import plain_options

    fields = plain_options(arguments, os.environ)
    if fields is not None:
        from celvet.lint.cli.run.lint_command import LintOptions, lint

        return lint(LintOptions(**fields))
    from celvet.lint.cli.subcommands import run

    return run()


def _flush() -> None:
    """Raise now, not when Python exits, if the output cannot be written."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    sys.stdout.flush()
