"""`celvet eval`: the verdict that the controllers would give on an object."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from celvet.lint.cli.exit import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.options.choices import dialects
from celvet.lint.cli.run.session import configuration, settings, usage_error
from celvet.lint.healthtest.model import UnusableTestError
from celvet.lint.healthtest.read.fixtures import Fixtures
from celvet.lint.healthtest.run.eval_report import as_json, as_text
from celvet.lint.healthtest.run.evaluation import BareExpression, evaluations, of_each
from celvet.lint.manifest.source.files import STDIN
from celvet.lint.model import Value
from celvet.lint.similar import did_you_mean
from celvet.lint.values import text_at
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.schemas import Catalog, Dialect, load

_DIALECT = next(each.name for each in load().dialects.values() if each.bare)
"""The dialects of `--expr`."""


@click.command("eval")
@click.argument("file", required=False, metavar="[FILE]", type=common.FILE)
@click.option(
    "--object",
    "objects",
    multiple=True,
    required=True,
    type=common.FILE,
    metavar="OBJ",
    help="Evaluate for this object, or `-`; repeatable.",
)
@click.option(
    "--self",
    "owner",
    type=common.FILE,
    metavar="OBJ",
    help="Use this object as `self` in a readyExpr.",
)
@click.option(
    "--var",
    "variables",
    multiple=True,
    metavar="NAME=OBJ",
    help="Use this object as another variable, such as `req`; repeatable.",
)
@click.option("--expr", metavar="TEXT", help="Evaluate TEXT instead of the expressions in FILE.")
@click.option(
    "--dialect",
    default=_DIALECT,
    metavar="NAME",
    show_default=True,
    shell_complete=dialects,
    help="Dialect of --expr.",
)
@click.option("--trace", is_flag=True, help="Show the result of every sub-expression.")
@common.one_format(("json", "text"))
@common.target()
@common.configured
def command(
    file: Path | None,
    objects: tuple[Path, ...],
    owner: Path | None,
    variables: tuple[str, ...],
    expr: str | None,
    dialect: str,
    trace: bool,
    form: str,
    substitute: tuple[str, ...],
    versions: tuple[str, ...],
    config: Path | None,
) -> Exit:
    """Show the verdict that the controllers would give on an object.

    Every check in FILE that applies to the object gives its verdict.

    \b
    Exit status: 0 a verdict, 1 an evaluation error or a refused expression,
    2 wrong usage or nothing that applies, 3 celvet failed.
    """  # noqa: D301 - click wants the escape
    if (file is None) == (expr is None):
        raise click.UsageError("give either FILE or --expr")
    chosen = settings(configuration(config), substitute, versions)
    fixtures = Fixtures(Path(), chosen.substitutions, chosen.catalog)
    try:
        cluster = _cluster(fixtures, objects, owner, variables, bare=expr is not None)
        if expr is None:
            found = list(evaluations(fixtures.manifest(str(file), ()), cluster, fixtures.catalog))
        else:
            evaluator = BareExpression(expr, _dialect(dialect, chosen.catalog))
            found = list(of_each(evaluator, cluster))
    except UnusableTestError as problem:
        raise usage_error(problem) from None
    if not found:
        raise click.UsageError(f"nothing in {file} applies to {_named(cluster)}")
    several = len(cluster.objects) > 1
    text = as_json(found, trace) if form == "json" else as_text(found, trace, named=several)
    click.echo(text, nl=False)
    return Exit.FINDINGS if any(each.answer.failed for each in found) else Exit.CLEAN


def _cluster(
    fixtures: Fixtures,
    objects: Sequence[Path],
    owner: Path | None,
    variables: Sequence[str],
    *,
    bare: bool,
) -> ClusterState:
    given: list[Value] = []
    for path in objects:
        found = fixtures.all(str(path), ())
        given += found
        if not found or not all(_is_object(each, bare=bare) for each in found):
            name = "standard input" if path == STDIN else f"`{path}`"
            lack = "it is not a mapping" if bare else "it has no apiVersion or kind"
            raise click.UsageError(f"{name} is not a Kubernetes object: {lack}")
    declaring = fixtures.one(str(owner), ()) if owner else None
    settings = {}
    for each in variables:
        name, sign, file = each.partition("=")
        if not sign:
            raise click.UsageError(
                f"`--var {each}` does not name an object; write `--var {name}=FILE`"
            )
        settings[name] = fixtures.one(file, ())
    return ClusterState(objects=given, now=datetime.now(UTC), owner=declaring, settings=settings)


def _is_object(value: Value, *, bare: bool) -> bool:
    """Whether a value is an object; a `bare` expression needs no kind."""
    if bare:
        return isinstance(value, dict)
    return all(text_at(value, (key,)) for key in ("apiVersion", "kind"))


def _dialect(name: str, catalog: Catalog) -> Dialect:
    known = catalog.dialects
    if name not in known:
        raise click.UsageError(f"there is no dialect `{name}`; {did_you_mean(name, known)}")
    return known[name]


def _named(cluster: ClusterState) -> str:
    kinds = [f"{each.get('kind', 'an object')}" for each in cluster.objects]
    return ", ".join(kinds) or "no object"
