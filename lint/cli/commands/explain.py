"""`celvet explain`: the verdicts of the checks in a file over the life of an object."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from celvet.lint.cli.exit import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.options.help import Command, option_group
from celvet.lint.cli.options.waiters import waiter_options
from celvet.lint.cli.run.session import configuration, read_bytes, selected_files, settings
from celvet.lint.cli.run.targets import targets
from celvet.lint.cli.run.waiter_choice import chosen_waiter
from celvet.lint.engine import Settings
from celvet.lint.explain.output import FORMATS
from celvet.lint.explain.page import Line, Page
from celvet.lint.explain.pages import explained
from celvet.lint.manifest.objects.resourceset import TAKING
from celvet.lint.manifest.source.files import STDIN
from celvet.lint.repository.providers import providers_around
from celvet.lint.waiters.forecast import Trouble, trouble_of
from celvet.lint.waiters.waiter import Waiter
from celvet.record import replace
from celvet.schemas.facts import LifeState

_selection = option_group("Selection")
_WORDS: dict[Trouble, str] = {
    "fails early": "fails too early",
    "never ready": "waits for ever",
    "ready early": "ready too early",
    "failure unseen": "failure unseen",
}
_LEFT_OUT = "left out"


@click.command("explain", cls=Command)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=common.FILE)
@_selection(
    "-k", "filter_text", default="", metavar="TEXT", help="Show the checks with TEXT in their name."
)
@waiter_options(required=False)
@common.one_format(FORMATS.names())
@common.output_file("pages")
@common.crds
@common.schema_location(rare=True)
@common.target(rare=True)
@common.config_options
def command(
    paths: tuple[Path, ...],
    filter_text: str,
    waiter_name: str | None,
    condition: str | None,
    scripts: Path | None,
    form: str,
    output: Path | None,
    crds: tuple[Path, ...],
    schema_location: tuple[str, ...],
    substitute: tuple[str, ...],
    versions: tuple[str, ...],
    config: Path | None,
) -> Exit:
    """Show the verdicts of checks over an object's life.

    A table has a row for each state that the expressions of a check can tell
    apart: their results, and the verdict. A misleading one is explained. PATH
    is a file, directory or `-`. With --as, a column is about another waiter.

    \b
    Exit status: 0 something is shown, 2 wrong usage or nothing to show,
    3 celvet failed.
    """  # noqa: D301 - click wants the escape
    choice = configuration(config).with_schemas(crds, schema_location)
    files = selected_files(paths, choice)
    (target,) = targets((form,), (output,) if output else (), files)
    rules = replace(settings(choice, substitute, versions), everything=True)
    explained_pages = [
        page for file in files for page in _pages(file, rules) if _matches(page, filter_text)
    ]
    if not explained_pages:
        name_clause = f" with `{filter_text}` in its name" if filter_text else ""
        where = ", ".join(map(str, paths))
        raise click.UsageError(
            f"no health check expression{name_clause} can be explained in {where}"
        )
    if waiter_name:
        waiter = chosen_waiter(waiter_name, condition, scripts)
        now = datetime.now(UTC)
        explained_pages = [with_waiter(page, waiter, now) for page in explained_pages]
    target.write(FORMATS, explained_pages)
    return Exit.CLEAN


def _pages(file: Path, rules: Settings) -> list[Page]:
    """The pages of a file; raises `WrongInputError` if it cannot be read."""
    data = read_bytes(file)
    name = "<stdin>" if file == STDIN else file.as_posix()
    if TAKING.encode() in data:
        rules = replace(rules, providers=providers_around(name))
    explained_pages, result = explained(data, name, rules)
    for note in result.notes:
        click.echo(f"celvet: {note}", err=True)
    if result.counts.partly:
        click.echo("celvet: stand-ins replace inputs that only the cluster knows", err=True)
    return explained_pages


def _matches(page: Page, filter_text: str) -> bool:
    return filter_text.lower() in page.heading.lower()


def with_waiter(page: Page, waiter: Waiter, now: datetime) -> Page:
    """A page with what the waiter says of each state; in the life, also what is wrong with it."""
    states = {state.name: state for state in page.facts.life} if page.facts else {}
    return replace(
        page,
        life=[_line(line, states.get(line.state), waiter, now) for line in page.life],
        lines=[_line(line, None, waiter, now) for line in page.lines],
        waiter=waiter.name,
    )


def _line(line: Line, state: LifeState | None, waiter: Waiter, now: datetime) -> Line:
    if not isinstance(line.object, dict):
        return replace(line, cells={**line.cells, waiter.name: ""})
    judgement = waiter.judge(line.object, now)
    text = judgement.status or (_LEFT_OUT if judgement.effect == "ready" else judgement.effect)
    trouble = trouble_of(state, judgement.effect) if state else None
    if trouble:
        text = f"{text}: {_WORDS[trouble]}"
    return replace(line, cells={**line.cells, waiter.name: text})
