"""`celvet eval`: the verdict that the controllers would give on an object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from celvet.lint.cel.syntax.tree import Ident
from celvet.lint.cel.trace.trace import Trace
from celvet.lint.cli.exit import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.options.choices import dialects
from celvet.lint.cli.run.session import configuration, settings, usage_error
from celvet.lint.healthtest.health_test import UnusableTestError
from celvet.lint.healthtest.read.fixtures import Fixtures
from celvet.lint.healthtest.run import traces
from celvet.lint.healthtest.run.answer import Answer, ExpressionAnswer
from celvet.lint.healthtest.run.evaluation import BareExpression, Evaluation, evaluations, of_each
from celvet.lint.manifest.source.files import STDIN
from celvet.lint.model import ObjectRef, Value, field_path
from celvet.lint.safe_text import json_text, terminal_text
from celvet.lint.similar import did_you_mean
from celvet.lint.values import text_at
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.schemas import Catalog, Dialect, load

_DIALECT = next(each.name for each in load().dialects.values() if each.bare)
"""The dialects of `--expr`."""

_VERSION = 1


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
    text = _as_json(found, trace) if form == "json" else _as_text(found, trace, named=several)
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


def _as_text(found: Sequence[Evaluation], trace: bool, *, named: bool = False) -> str:
    """Each answer with the results of its expressions; `<` marks the one that decided.

    With `named`, an answer about one object names it.
    """
    return "\n".join(
        "".join(f"{terminal_text(line)}\n" for line in _lines(each, trace, named)) for each in found
    )


def _as_json(found: Sequence[Evaluation], trace: bool) -> str:
    """The same as one JSON document."""
    return json_text(
        {"version": _VERSION, "evaluations": [_document(each, trace) for each in found]}
    )


def _lines(each: Evaluation, trace: bool, named: bool) -> Iterator[str]:
    answer, verdict = each.answer, each.answer.verdict
    name = _name(each.objects[0]) if named and len(each.objects) == 1 else ""
    place, title = field_path(answer.evaluator.path), answer.evaluator.title
    if verdict.status or place:
        kind = f": {title}" if title != place else ""
        yield f"{', '.join(filter(None, (each.object.title, place)))}{kind}"
    if verdict.status:
        reason = f" ({verdict.reason})" if verdict.reason else ""
        yield f"  {f'{name}: ' if name else ''}{verdict.status}{reason}"
    elif name:
        yield f"  {name}" if place else name
    if builtin := answer.evaluator.builtin:
        yield f"  {_fallback(each, builtin)}"
    if verdict.message and verdict.message != verdict.error:
        yield f"  {verdict.message}"
    indent = "  " * (bool(verdict.status or place) + bool(verdict.status or name))
    width = max((len(given.expression.role) for given in answer.expressions), default=0)
    for given in answer.expressions:
        decided = verdict.cause is not None and verdict.cause.path == given.expression.path
        mark = "  <" if decided and len(answer.expressions) > 1 else ""
        yield f"{indent}{given.expression.role:<{width}}  {_given(given)}{mark}"
        yield from (f"{indent}  {line}" for line in _more(answer, given, trace))


def _fallback(each: Evaluation, builtin: str) -> str:
    kinds = sorted({str(reference.group_kind) for reference in each.objects})
    return f"decided by {builtin}: no expression here is about {' or '.join(kinds)}"


def _name(object_: ObjectRef) -> str:
    key = "/".join(filter(None, (object_.namespace, object_.name)))
    return f"{object_.kind} {key}".strip() or "an object without a name"


def _given(given: ExpressionAnswer) -> str:
    return f"refused: {given.refusal}" if given.refusal else traces.shown(given.outcome)


def _more(answer: Answer, given: ExpressionAnswer, trace: bool) -> Iterator[str]:
    found = answer.trace(given.expression)
    if found is None or given.refusal:
        return
    if trace:
        yield from traces.lines(found)
    yield from _explained(answer, given, found)


def _explained(answer: Answer, given: ExpressionAnswer, found: Trace) -> Iterator[str]:
    """An error in words; a variable of the dialect is missing only on this command line."""
    node, known = found.deciding_steps()[-1].node, answer.variables
    missing = given.expression.dialect.variables.keys() - known
    if given.outcome.error and isinstance(node, Ident) and node.name in missing:
        yield f"`{node.name}` has no value here; give one with `--var {node.name}=FILE`"
    else:
        yield from traces.explained(found, known)


def _document(each: Evaluation, trace: bool) -> dict[str, Any]:
    verdict = each.answer.verdict
    return {
        "object": each.object.fields(),
        "field": field_path(each.answer.evaluator.path),
        "title": each.answer.evaluator.title,
        "builtin": each.answer.evaluator.builtin,
        "judged": [reference.fields() for reference in each.objects],
        "verdict": {
            "status": verdict.status,
            "reason": verdict.reason,
            "message": verdict.message,
            "error": verdict.error,
        },
        "expressions": [
            _expression(each.answer, given, trace) for given in each.answer.expressions
        ],
    }


def _expression(answer: Answer, given: ExpressionAnswer, trace: bool) -> dict[str, Any]:
    expression = given.expression
    found: dict[str, Any] = {"role": expression.role, "field": field_path(expression.path)}
    if given.refusal:
        return {**found, "refused": given.refusal}
    found |= traces.outcome_document(given.outcome)
    traced = answer.trace(expression)
    if traced is None:
        return found
    if explanation := [*_explained(answer, given, traced)]:
        found["explanation"] = explanation
    return {**found, "trace": traces.document(traced)} if trace else found
