"""`celvet jsonpath`: what kubectl reads with a path from an object."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from celvet.lint.cli.exit import Exit, tell
from celvet.lint.cli.options import common
from celvet.lint.healthtest.read.fixtures import Fixtures
from celvet.lint.jsonpath import EvaluationError, JSONPathError, PathTemplate, parse
from celvet.lint.jsonpath.hints.mistakes import advice, misreadings
from celvet.lint.model import Value
from celvet.lint.safe_text import terminal_text
from celvet.lint.waiters.kubectl_wait import ForError, parse_for


@click.command("jsonpath")
@click.argument("expression", metavar="EXPR")
@click.option(
    "-f",
    "--object",
    "objects",
    multiple=True,
    required=True,
    type=common.FILE,
    metavar="OBJ",
    help="Read this object, or `-`; repeatable.",
)
@click.option("--wait", is_flag=True, help="Say whether `kubectl wait --for=jsonpath=EXPR` ends.")
def command(expression: str, objects: tuple[Path, ...], wait: bool) -> Exit:
    """Show what kubectl reads with a path.

    Prints what `kubectl get -o jsonpath=EXPR` prints; several objects are the
    items of a List. With --wait, EXPR is a path, or PATH=VALUE, and is tested
    on each object.

    \b
    Exit status: 0 a text, or a test that is met; 1 kubectl refuses EXPR or
    fails on an object; 2 wrong usage; 3 celvet failed; 4 a test that is not met.
    """  # noqa: D301 - click wants the escape
    fixtures = Fixtures(Path())
    values = [obj for file in objects for obj in fixtures.all(str(file), ())]
    if not values:
        raise click.UsageError(f"there is no object in {', '.join(map(str, objects))}")
    return _wait(expression, values) if wait else _get(expression, values)


def _get(text: str, objects: list[Value]) -> Exit:
    """Print as `kubectl get`, which allows missing keys."""
    try:
        template = parse(text)
    except JSONPathError as error:
        hint = advice(text, error, "none")
        place = f"at character {error.span.start + 1}"
        words = f"kubectl refuses the path {place}: {error.message}"
        raise click.ClickException(f"{words}; {hint}" if hint else words) from None
    item_list: Value = {"apiVersion": "v1", "kind": "List", "items": objects}
    value = objects[0] if len(objects) == 1 else item_list
    try:
        output = template.text(value, allow_missing=True)
    except EvaluationError as error:
        raise click.ClickException(f"kubectl fails: {terminal_text(str(error))}") from None
    click.echo(output, nl=not output.endswith("\n"))
    for note in _notes(text, template, value, output):
        tell(f"note: {terminal_text(note)}")
    return Exit.CLEAN


def _notes(text: str, template: PathTemplate, value: Value, output: str) -> list[str]:
    """What the user may not expect of the output."""
    if text and "{" not in text:
        return [f"without braces, this is a text that kubectl prints; write '{{{text}}}'"]
    notes = [f"{item.message}; {item.hint}" for item in misreadings(template)]
    if not output.strip() and not notes:
        try:
            template.text(value)
        except EvaluationError as error:
            notes.append(f"kubectl prints nothing for a missing key: {error}")
    return notes


def _wait(text: str, objects: list[Value]) -> Exit:
    """Test as `kubectl wait`, which ends when all objects meet the test."""
    try:
        waiter = parse_for(f"jsonpath={text}")
    except ForError as error:
        raise click.ClickException(f"kubectl refuses `--for=jsonpath={text}`: {error}") from None
    now, statuses = datetime.now(UTC), set()
    for obj in objects:
        judgement = waiter.judge(obj, now)
        if judgement.error:
            raise click.ClickException(f"kubectl wait fails: {terminal_text(judgement.error)}")
        statuses.add(judgement.effect)
        click.echo(judgement.status)
    return Exit.CLEAN if statuses == {"ready"} else Exit.WAITING
