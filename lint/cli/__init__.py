"""The command `celvet`: argv in, exit status out.

`commands` has a module for each subcommand, loaded when it is named; `options` what several of
them accept; `run` what they do. A package imports only those after it.
"""

from __future__ import annotations

import errno
import gc
import importlib
import os
import sys
from enum import IntEnum
from typing import TYPE_CHECKING

import click

from celvet.lint.similar import did_you_mean
from celvet.version import __version__

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_COMMANDS = ("build", "completion", "eval", "explain", "graph", "lint", "rules", "suggest", "test")
"""The built-in subcommands; `celvet.lint.cli.commands.<name>` holds each, as `command`."""

_PLUGINS = "celvet.commands"
"""Entry-point group of the subcommands that live in other packages."""


class Exit(IntEnum):
    """The exit statuses, the same for every subcommand."""

    CLEAN = 0
    FINDINGS = 1
    USAGE = 2
    INTERNAL = 3


class _Commands(click.Group):
    """Loads a subcommand only when it is named: the others would cost start-up time."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The built-in subcommands and those of installed packages."""
        return sorted({*_COMMANDS, *_plugins()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """The subcommand of a name; installed packages are searched only for one not built in."""
        if cmd_name in _COMMANDS:
            found = importlib.import_module(f"{__name__}.commands.{cmd_name}").command
        elif plugin := _plugins().get(cmd_name):
            found = plugin.load()
        else:
            known = self.list_commands(ctx)
            ctx.fail(f"there is no command `{cmd_name}`; {did_you_mean(cmd_name, known)}")
        command: click.Command = found
        return command


def _plugins() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # reads the metadata of all that is installed

    return {entry.name: entry for entry in entry_points(group=_PLUGINS)}


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="celvet", message="%(prog)s %(version)s")
def celvet() -> None:
    """Vet the health checks in GitOps manifests.

    Finds mistakes in their expressions before a reconciliation hangs on them.
    """


def main() -> None:
    """Run the command line and exit with its status; no input causes a traceback."""
    # What is read has hardly any cycles; visiting it again and again would take a fifth of a run.
    gc.set_threshold(100_000, 20, 20)
    try:
        if "_CELVET_COMPLETE" in os.environ:
            importlib.import_module(f"{__name__}.options.completion").install()
        status = celvet.main(prog_name="celvet", standalone_mode=False)
        _flush()
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        status = 130
    except BrokenPipeError:
        # The reader has gone, as in `celvet lint . | head`; Python must not notice it again when
        # it flushes.
        _forget_output()
        status = Exit.CLEAN
    except OSError as error:
        # Errors of files are handled where they are opened, so this one is from the output.
        _forget_output()
        click.echo(f"celvet: cannot write the output: {error.strerror or error}", err=True)
        status = Exit.USAGE
    except Exception as error:
        status = _internal(error)
    sys.exit(status)


def _flush() -> None:
    """Raise now, not when Python exits, if the output cannot be written."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    sys.stdout.flush()


def _forget_output() -> None:
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _internal(error: Exception) -> Exit:
    if "CELVET_DEBUG" in os.environ:
        import traceback

        traceback.print_exc()
    click.echo(
        f"celvet: internal error: {type(error).__name__}: {error}\n"
        "This is a bug in celvet. Please report it with the output of the same command under"
        " CELVET_DEBUG=1.",
        err=True,
    )
    return Exit.INTERNAL
