"""Loads the named subcommand, and shows errors as click does."""

from __future__ import annotations

import importlib
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from celvet.lint.cli.exit import Exit, click_error
from celvet.lint.cli.options.help import with_help_all
from celvet.lint.similar import did_you_mean
from celvet.version import __version__
from celvet.wrong_input import WrongInputError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_GROUPS = {
    "Check": ("lint", "scan", "test"),
    "Understand": (
        "why",
        "eval",
        "jsonpath",
        "explain",
        "forecast",
        "graph",
        "playground",
        "rules",
    ),
    "Write": ("init", "suggest", "build"),
    "Operate": ("wait", "mcp", "completion"),
}
"""The built-in subcommands by what they are for; a module of `commands` holds each, as `command`.

Those of other packages are for operating.
"""

_MODULES = {"mcp": "celvet.lint.mcp.command", "playground": "celvet.lint.playground.command"}
"""The modules of those that are built on the others."""

_COMMANDS = tuple(name for names in _GROUPS.values() for name in names)

_OTHER_NAMES = {
    "check": "lint",
    "validate": "lint",
    "status": "why",
    "help": "--help",
    "version": "--version",
}
"""What other tools call a subcommand or an option."""

_SUMMARY = 54
"""The most columns of a summary beside the group and the name."""

_PLUGIN_PROGRAMS = ("kubectl-celvet", "flux-celvet")
"""The names by which kubectl and flux find the program as a plugin."""

_PLUGINS = "celvet.commands"
"""Entry-point group of the subcommands that live in other packages."""


class _Commands(click.Group):
    """Loads only the named subcommand: the others would cost start-up time."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand, which click's error about an option without its value lacks."""
        try:
            return super().invoke(ctx)
        except (click.UsageError, WrongInputError) as error:
            shown_error, name = click_error(error), ctx.invoked_subcommand
            if isinstance(shown_error, click.UsageError) and name and not shown_error.ctx:
                command = self.get_command(ctx, name)
                shown_error.ctx = click.Context(command, ctx, info_name=name)
            raise shown_error from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The built-in subcommands and those of installed packages, by what they are for."""
        return [*_COMMANDS, *sorted(_plugins().keys() - {*_COMMANDS})]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, with the name of a group before its first one."""
        first_names = {names[0]: group for group, names in _GROUPS.items()}
        width = max(map(len, first_names.values()))
        records = [
            (f"{first_names.get(name, ''):<{width}}  {name}", command.get_short_help_str(_SUMMARY))
            for name in self.list_commands(ctx)
            if (command := self.get_command(ctx, name))
        ]
        with formatter.section("Commands"):
            formatter.write_dl(records)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """The subcommand of a name; installed packages are searched only if it is not built in."""
        command: click.Command
        if cmd_name in _COMMANDS:
            module = _MODULES.get(cmd_name, f"celvet.lint.cli.commands.{cmd_name}")
            command = importlib.import_module(module).command
        elif plugin := _plugins().get(cmd_name):
            command = plugin.load()
        else:
            path = f"lint {cmd_name}" if os.path.exists(cmd_name) else ""  # noqa: PTH110
            hint = _OTHER_NAMES.get(cmd_name, path)
            advice = (
                f"did you mean `{hint}`?"
                if hint
                else did_you_mean(cmd_name, self.list_commands(ctx))
            )
            ctx.fail(f"there is no command `{cmd_name}`; {advice}")
        return with_help_all(command)


def _plugins() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # reads the metadata of all installed packages

    return {entry.name: entry for entry in entry_points(group=_PLUGINS)}


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="celvet", message="%(prog)s %(version)s")
def celvet() -> None:
    """Find what makes a GitOps reconciliation hang, before it is merged and after."""


with_help_all(celvet)


def run() -> int:
    """Run the named subcommand, or complete the line for a shell."""
    completes = "_CELVET_COMPLETE" in os.environ
    if completes:
        importlib.import_module("celvet.lint.cli.commands.completion").install()
    try:
        status: int | None = celvet.main(prog_name=_program(), standalone_mode=False)
    except SystemExit as end:
        if completes or end.code != 1:
            raise
        raise BrokenPipeError from None  # click ends with status 1, as if there were findings
    return status or Exit.CLEAN


def show_error(error: Exception) -> int:
    """Write an error to standard error; its exit status."""
    if isinstance(error, click.Abort):
        return 130
    if not isinstance(error, click.ClickException | WrongInputError):
        return _internal(error)
    shown_error = click_error(error)
    if isinstance(shown_error, click.UsageError):
        shown_error.ctx = shown_error.ctx or _lint()
    shown_error.show()
    return shown_error.exit_code


def _lint() -> click.Context:
    """The context of an error that click did not raise: only `lint` runs without it."""
    from celvet.lint.cli.commands.lint import command

    return click.Context(command, click.Context(celvet, info_name=_program()), info_name="lint")


def _program() -> str:
    """The name in messages: kubectl and flux run `kubectl-celvet` as `kubectl celvet`."""
    name = os.path.basename(sys.argv[0]).removesuffix(".exe")  # noqa: PTH119 - loads no pathlib
    return name.replace("-", " ") if name in _PLUGIN_PROGRAMS else "celvet"


def _internal(error: Exception) -> Exit:
    if "CELVET_DEBUG" in os.environ:
        import traceback

        traceback.print_exception(error)
    click.echo(
        f"celvet: internal error: {type(error).__name__}: {error}\n"
        "This is a bug in celvet. Please report it with the output of the same command under"
        " CELVET_DEBUG=1.",
        err=True,
    )
    return Exit.INTERNAL
