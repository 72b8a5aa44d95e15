"""Arguments of `celvet lint` that click would misread."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from celvet.lint.cli.options.help import Command
from celvet.lint.repository.discover import SUFFIXES

DASHED = "--dashed-files"
"""The option that makes a file of every argument that names one, even if it begins with a dash."""

_END = "--"
"""For click, no argument behind it is an option."""
_FIX = "--fix="
_LEVELS = {"safe": ("--fix",), "unsafe": ("--fix", "--unsafe")}


class LintCommand(Command):
    """A command that takes `--fix=unsafe` beside `--fix`, and `--dashed-files`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Write `--fix=unsafe` as two flags, and put files behind all options."""
        args = _files_last(args)
        end = args.index(_END) if _END in args else len(args)
        flags = [each for arg in args[:end] for each in _flags(arg, ctx)]
        return super().parse_args(ctx, flags + args[end:])


def _files_last(arguments: Sequence[str]) -> list[str]:
    """The arguments, files that look like options moved behind `--` if `--dashed-files` is given.

    pre-commit puts the names of a commit's files directly after the arguments that the user
    configures: a file `--baseline=b.json` must not become the baseline. What names an existing
    YAML or JSON file is a file; the hooks ask for no others.
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


def _flags(argument: str, ctx: click.Context) -> tuple[str, ...]:
    level = argument.removeprefix(_FIX)
    if level == argument or ctx.resilient_parsing:
        return (argument,)
    if level not in _LEVELS:
        raise click.UsageError(f"`--fix` takes `safe` or `unsafe`, not `{level}`", ctx)
    return _LEVELS[level]
