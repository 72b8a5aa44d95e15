"""What becomes of the files that `celvet lint --fix` has changed: shown, or written."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click

from celvet.lint.cli.options.argv import told_apart
from celvet.lint.cli.options.help import Command
from celvet.lint.cli.run import files
from celvet.lint.engine import Settings, lint_text
from celvet.lint.engine.fix import fix
from celvet.lint.model import Severity
from celvet.lint.report.report import Examined, Report, Rewritten, examined


class LintCommand(Command):
    """A command that takes `--fix` and `--fix=unsafe`, which click's flags cannot."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Spell `--fix=unsafe` as the two flags that it means, and put files behind options."""
        args = told_apart(args)
        end = args.index("--") if "--" in args else len(args)
        spelled = [each for arg in args[:end] for each in _spelled(arg, ctx)]
        return super().parse_args(ctx, spelled + args[end:])


_FIX = "--fix="
_LEVELS = {"safe": ("--fix",), "unsafe": ("--fix", "--unsafe")}


def _spelled(argument: str, ctx: click.Context) -> tuple[str, ...]:
    level = argument.removeprefix(_FIX)
    if level == argument or ctx.resilient_parsing:
        return (argument,)
    if level not in _LEVELS:
        raise click.UsageError(f"`--fix` takes `safe` or `unsafe`, not `{level}`", ctx)
    return _LEVELS[level]


def fixed(
    data: bytes, name: str, settings: Settings, *, unsafe: bool, minimum: Severity
) -> Examined:
    """A file after its fixes; one in another encoding than UTF-8 is left as it is, and said so."""
    done = fix(data, name, settings, unsafe=unsafe, minimum=minimum)
    if done.before == done.after:
        return examined(done.result)
    mark = "\ufeff" if done.result.manifest and done.result.manifest.bom else ""
    if data != (mark + done.before).encode():
        note = f"{name}: not in UTF-8, so that nothing is fixed; save it in UTF-8"
        return examined(replace(lint_text(data, name, settings), notes=(note,)))
    return examined(
        done.result, rewritten=Rewritten(mark + done.before, mark + done.after, done.titles)
    )


def _lines(text: str) -> list[str]:
    """The lines as patch counts them, with their line feeds."""
    *lines, last = text.split("\n")
    return [*(f"{line}\n" for line in lines), *([last] if last else [])]


def write(report: Report) -> None:
    """Write the changed files; raises `click.UsageError` for one that cannot be written."""
    for name, rewritten in report.rewritten:
        files.write(Path(name), rewritten.after.encode())
        for title in rewritten.titles:
            click.echo(f"fixed {name}: {title}", err=True)


def diff(report: Report) -> Iterator[str]:
    """The lines of a unified diff that makes the changes."""
    for name, rewritten in report.rewritten:
        before, after = (_lines(text) for text in (rewritten.before, rewritten.after))
        for line in difflib.unified_diff(before, after, name, name):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
