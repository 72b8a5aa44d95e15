"""`celvet lint`: check the expressions in manifests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from celvet.lint.cli.exit import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.options.choices import rule_ids
from celvet.lint.cli.options.help import Command, option_group
from celvet.lint.cli.run.lint_command import LintOptions, lint, watch
from celvet.lint.discovery.discover import SUFFIXES
from celvet.lint.model import Severity
from celvet.lint.report.output import FORMATS

_DASHED = "--dashed-files"
"""The option that makes a file of every argument that names one, even if it begins with a dash."""

_END = "--"
"""For click, no argument behind it is an option."""
_FIX = "--fix="
_LEVELS = {"safe": ("--fix",), "unsafe": ("--fix", "--unsafe")}


class _LintCommand(Command):
    """A command that takes `--fix=unsafe` beside `--fix`, and `--dashed-files`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Turn `--fix=unsafe` into two flags, and put files after all options."""
        args = _files_last(args)
        end = args.index(_END) if _END in args else len(args)
        flags = [flag for arg in args[:end] for flag in _flags(arg, ctx)]
        return super().parse_args(ctx, flags + args[end:])


def _files_last(arguments: Sequence[str]) -> list[str]:
    """The arguments; with `--dashed-files`, files that look like options are moved behind `--`.

    pre-commit puts the names of a commit's files directly after the arguments that the user
    configures: a file `--baseline=b.json` must not become the baseline. What names an existing
    YAML or JSON file is a file; the hooks ask for no others.
    """
    if _END in arguments or _DASHED not in arguments:
        return list(arguments)
    files = set(_dashed_files(arguments))
    options = [argument for argument in arguments if argument not in files]
    return [*options, _END, *(argument for argument in arguments if argument in files)]


def _dashed_files(arguments: Iterable[str]) -> Iterable[str]:
    return (
        argument
        for argument in arguments
        if argument.startswith("-") and argument.endswith(SUFFIXES) and Path(argument).is_file()
    )


def _flags(argument: str, ctx: click.Context) -> tuple[str, ...]:
    level = argument.removeprefix(_FIX)
    if level == argument or ctx.resilient_parsing:
        return (argument,)
    if level not in _LEVELS:
        raise click.UsageError(f"`--fix` takes `safe` or `unsafe`, not `{level}`", ctx)
    return _LEVELS[level]


_SEVERITY = click.Choice([str(severity) for severity in Severity])
_fixes, _selection = option_group("Fixes"), option_group("Selection")


@click.command(
    "lint", cls=_LintCommand, short_help="Check the expressions in files and directories."
)
@click.argument("paths", nargs=-1, type=common.FILE, metavar="[PATH]...")
@common.formats(FORMATS, "CELVET_FORMAT")
@common.output_files
@common.report(
    "--fail-on",
    envvar="CELVET_FAIL_ON",
    type=_SEVERITY,
    metavar="LEVEL",
    help="Fail on info, warning (default) or error and above.",
)
@common.report(
    "--min-severity",
    envvar="CELVET_MIN_SEVERITY",
    type=_SEVERITY,
    metavar="LEVEL",
    help="Report info (default), warning or error and above.",
)
@common.report(
    "--group-by",
    rare=True,
    type=click.Choice(["file", "message", "rule"]),
    metavar="KEY",
    help="Group findings by file, message or rule.",
)
@common.report("--statistics", rare=True, is_flag=True, help="Count the findings of each rule.")
@common.report("-q", "--quiet", rare=True, is_flag=True, help="Print only findings, no summary.")
@_fixes("--fix", is_flag=True, help="Fix findings; --fix=unsafe may change verdicts.")
@click.option("--unsafe", is_flag=True, hidden=True)
@_fixes("--diff", is_flag=True, help="Show the changes of --fix without making them.")
@_fixes("--add-ignore", rare=True, is_flag=True, help="Write comments that suppress what is found.")
@_selection(
    "--changed-since", metavar="REV", help="Lint only files changed since the branch left REV."
)
@_selection(
    "--baseline",
    envvar="CELVET_BASELINE",
    type=common.NAMED_FILE,
    metavar="FILE",
    help="Hide the findings that FILE lists.",
)
@_selection("--update-baseline", is_flag=True, help="Write all findings to the --baseline file.")
@_selection(
    "--select",
    rare=True,
    envvar="CELVET_SELECT",
    multiple=True,
    metavar="RULES",
    shell_complete=rule_ids,
    help="Report only these rules or prefixes, such as `crd`.",
)
@_selection(
    "--ignore",
    rare=True,
    envvar="CELVET_IGNORE",
    multiple=True,
    metavar="RULES",
    shell_complete=rule_ids,
    help="Switch off these rules or prefixes, such as `crd`.",
)
@_selection("--show-files", rare=True, is_flag=True, help="List the files to lint, and end.")
@_selection("--allow-empty", rare=True, is_flag=True, help="Succeed if there is no file to lint.")
@_selection(
    "--force-exclude",
    rare=True,
    is_flag=True,
    help="Apply the configured `exclude` to named files too.",
)
@_selection(
    _DASHED,
    rare=True,
    is_flag=True,
    expose_value=False,
    help="Treat `-x.yaml` as a file if it exists; hooks need it.",
)
@common.crds
@common.schema_location(rare=True)
@common.config_options
@common.target(rare=True)
@common.jobs
@common.work(
    "--cache-dir",
    rare=True,
    envvar="CELVET_CACHE_DIR",
    type=common.NAMED_FILE,
    metavar="DIR",
    help="Keep results in DIR.  [default: celvet in the user's cache]",
)
@common.work(
    "--no-cache",
    rare=True,
    envvar="CELVET_NO_CACHE",
    is_flag=True,
    help="Neither use nor keep results of earlier runs.",
)
@common.work(
    "--render",
    rare=True,
    envvar="CELVET_RENDER",
    type=click.Choice(["auto", "kustomize", "flux", "off"]),
    default="off",
    metavar="PROGRAM",
    help="Also lint what kustomize, flux or either (auto) builds.",
)
@common.work(
    "--stdin-filename",
    rare=True,
    default="<stdin>",
    metavar="NAME",
    help="Report standard input under this file name.",
)
@_selection("--watch", rare=True, is_flag=True, help="Lint again when a file changes.")
def command(**options: Any) -> Exit:
    """Check the expressions in files, directories or `-`; the default is `.`.

    Exit status: 0 clean, 1 findings, 2 wrong usage or path, 3 celvet failed.
    """
    lint_options = LintOptions(**options)
    return watch(lint_options) if lint_options.watch else lint(lint_options)
