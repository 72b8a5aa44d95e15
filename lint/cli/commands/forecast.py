"""`celvet forecast`: what a waiter will do with rendered objects over their lives."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from celvet.lint.cli.exit import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.options.waiters import waiter_options
from celvet.lint.cli.run.session import configuration, settings
from celvet.lint.cli.run.waiter_choice import chosen_waiter
from celvet.lint.healthtest.read.fixtures import Fixtures
from celvet.lint.model import Value
from celvet.lint.values import text_at
from celvet.lint.waiters.forecast import forecast
from celvet.lint.waiters.kubectl_line import kubectl_line
from celvet.lint.waiters.output import FORMATS
from celvet.lint.waiters.report import ForecastReport


@click.command("forecast")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=common.FILE)
@waiter_options(required=True)
@common.one_format(FORMATS.names())
@common.config_options
def command(
    files: tuple[Path, ...],
    waiter_name: str,
    condition: str | None,
    scripts: Path | None,
    form: str,
    substitute: tuple[str, ...],
    config: Path | None,
) -> Exit:
    """Show what a waiter will do with new objects.

    Runs the waiter over each state of the life of each object, from the
    catalogue: where it ends too early, with an error or never. FILE has
    rendered manifests, as `helm template` and `kustomize build` print them,
    or is `-`.

    \b
    Exit status: 0 no trouble, 1 an object with trouble, 2 wrong usage or no
    object, 3 celvet failed.
    """  # noqa: D301 - click wants the escape
    choice = configuration(config)
    engine_settings = settings(choice, substitute)
    fixtures = Fixtures(Path(), engine_settings.substitutions, engine_settings.catalog)
    waiter = chosen_waiter(waiter_name, condition, scripts)
    objects = [obj for file in files for obj in fixtures.all(str(file), ()) if _is_object(obj)]
    if not objects:
        raise click.UsageError(f"there is no object in {', '.join(map(str, files))}")
    now = datetime.now(UTC)
    forecasts = [forecast(obj, waiter, now, choice.schemas) for obj in objects]
    lines = [
        kubectl_line(item.facts, now) if item.facts and item.troubles else None
        for item in forecasts
    ]
    report = ForecastReport(waiter=waiter, forecasts=forecasts, lines=lines)
    click.echo(FORMATS.renderer(form)(report, False), nl=False)
    return Exit.FINDINGS if any(item.troubles for item in forecasts) else Exit.CLEAN


def _is_object(obj: Value) -> bool:
    return all(text_at(obj, (key,)) for key in ("apiVersion", "kind"))
