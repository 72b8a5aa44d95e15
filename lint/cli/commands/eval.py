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

_DIALECT = next(dialect.name for dialect in load().dialects.values() if dialect.bare)
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
@common.config_options
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
    engine_settings = settings(configuration(config), substitute, versions)
    fixtures = Fixtures(Path(), engine_settings.substitutions, engine_settings.catalog)
    try:
        cluster = _cluster(fixtures, objects, owner, variables, bare=expr is not None)
        if expr is None:
            results = list(evaluations(fixtures.manifest(str(file), ()), cluster, fixtures.catalog))
        else:
            evaluator = BareExpression(expr, _dialect(dialect, engine_settings.catalog))
            results = list(of_each(evaluator, cluster))
    except UnusableTestError as problem:
        raise usage_error(problem) from None
    if not results:
        raise click.UsageError(f"nothing in {file} applies to {_kinds_of(cluster)}")
    several = len(cluster.objects) > 1
    text = (
        _as_json(results, trace)
        if form == "json"
        else _as_text(results, trace, name_objects=several)
    )
    click.echo(text, nl=False)
    return Exit.FINDINGS if any(evaluation.answer.failed for evaluation in results) else Exit.CLEAN


def _cluster(
    fixtures: Fixtures,
    objects: Sequence[Path],
    owner: Path | None,
    variables: Sequence[str],
    *,
    bare: bool,
) -> ClusterState:
    values: list[Value] = []
    for path in objects:
        file_objects = fixtures.all(str(path), ())
        values += file_objects
        if not file_objects or not all(_is_object(value, bare=bare) for value in file_objects):
            name = "standard input" if path == STDIN else f"`{path}`"
            lack = "it is not a mapping" if bare else "it has no apiVersion or kind"
            raise click.UsageError(f"{name} is not a Kubernetes object: {lack}")
    declaring = fixtures.one(str(owner), ()) if owner else None
    settings = {}
    for variable in variables:
        name, sign, file = variable.partition("=")
        if not sign:
            raise click.UsageError(
                f"`--var {variable}` does not name an object; write `--var {name}=FILE`"
            )
        settings[name] = fixtures.one(file, ())
    return ClusterState(objects=values, now=datetime.now(UTC), owner=declaring, settings=settings)


def _is_object(value: Value, *, bare: bool) -> bool:
    """Whether a value is an object; a `bare` expression needs no kind."""
    if bare:
        return isinstance(value, dict)
    return all(text_at(value, (key,)) for key in ("apiVersion", "kind"))


def _dialect(name: str, catalog: Catalog) -> Dialect:
    dialects_by_name = catalog.dialects
    if name not in dialects_by_name:
        raise click.UsageError(
            f"there is no dialect `{name}`; {did_you_mean(name, dialects_by_name)}"
        )
    return dialects_by_name[name]


def _kinds_of(cluster: ClusterState) -> str:
    kinds = [f"{obj.get('kind', 'an object')}" for obj in cluster.objects]
    return ", ".join(kinds) or "no object"


def _as_text(results: Sequence[Evaluation], trace: bool, *, name_objects: bool = False) -> str:
    """Each answer with the results of its expressions; `<` marks the one that decided.

    With `name_objects`, an answer about one object names it.
    """
    return "\n".join(
        "".join(f"{terminal_text(line)}\n" for line in _lines(evaluation, trace, name_objects))
        for evaluation in results
    )


def _as_json(results: Sequence[Evaluation], trace: bool) -> str:
    """The answers as one JSON document."""
    return json_text(
        {
            "version": _VERSION,
            "evaluations": [_document(evaluation, trace) for evaluation in results],
        }
    )


def _lines(evaluation: Evaluation, trace: bool, name_objects: bool) -> Iterator[str]:
    answer, verdict = evaluation.answer, evaluation.answer.verdict
    name = _name(evaluation.objects[0]) if name_objects and len(evaluation.objects) == 1 else ""
    place, title = field_path(answer.evaluator.path), answer.evaluator.title
    if verdict.status or place:
        kind = f": {title}" if title != place else ""
        yield f"{', '.join(filter(None, (evaluation.object.title, place)))}{kind}"
    if verdict.status:
        reason = f" ({verdict.reason})" if verdict.reason else ""
        yield f"  {f'{name}: ' if name else ''}{verdict.status}{reason}"
    elif name:
        yield f"  {name}" if place else name
    if builtin := answer.evaluator.builtin:
        yield f"  {_fallback(evaluation, builtin)}"
    if verdict.message and verdict.message != verdict.error:
        yield f"  {verdict.message}"
    indent = "  " * (bool(verdict.status or place) + bool(verdict.status or name))
    width = max((len(result.expression.role) for result in answer.expressions), default=0)
    for result in answer.expressions:
        is_cause = verdict.cause is not None and verdict.cause.path == result.expression.path
        mark = "  <" if is_cause and len(answer.expressions) > 1 else ""
        yield f"{indent}{result.expression.role:<{width}}  {_outcome(result)}{mark}"
        yield from (f"{indent}  {line}" for line in _trace_lines(answer, result, trace))


def _fallback(evaluation: Evaluation, builtin: str) -> str:
    kinds = sorted({str(reference.group_kind) for reference in evaluation.objects})
    return f"decided by {builtin}: no expression here is about {' or '.join(kinds)}"


def _name(object_: ObjectRef) -> str:
    key = "/".join(filter(None, (object_.namespace, object_.name)))
    return f"{object_.kind} {key}".strip() or "an object without a name"


def _outcome(result: ExpressionAnswer) -> str:
    return f"refused: {result.refusal}" if result.refusal else traces.shown(result.outcome)


def _trace_lines(answer: Answer, result: ExpressionAnswer, trace: bool) -> Iterator[str]:
    expression_trace = answer.trace(result.expression)
    if expression_trace is None or result.refusal:
        return
    if trace:
        yield from traces.lines(expression_trace)
    yield from _explanation(answer, result, expression_trace)


def _explanation(
    answer: Answer, result: ExpressionAnswer, expression_trace: Trace
) -> Iterator[str]:
    """An error in words; a variable of the dialect is missing only on this command line."""
    node, variables = expression_trace.deciding_steps()[-1].node, answer.variables
    missing = result.expression.dialect.variables.keys() - variables
    if result.outcome.error and isinstance(node, Ident) and node.name in missing:
        yield f"`{node.name}` has no value here; give one with `--var {node.name}=FILE`"
    else:
        yield from traces.explained(expression_trace, variables)


def _document(evaluation: Evaluation, trace: bool) -> dict[str, Any]:
    verdict = evaluation.answer.verdict
    return {
        "object": evaluation.object.fields(),
        "field": field_path(evaluation.answer.evaluator.path),
        "title": evaluation.answer.evaluator.title,
        "builtin": evaluation.answer.evaluator.builtin,
        "judged": [reference.fields() for reference in evaluation.objects],
        "verdict": {
            "status": verdict.status,
            "reason": verdict.reason,
            "message": verdict.message,
            "error": verdict.error,
        },
        "expressions": [
            _expression(evaluation.answer, result, trace)
            for result in evaluation.answer.expressions
        ],
    }


def _expression(answer: Answer, result: ExpressionAnswer, trace: bool) -> dict[str, Any]:
    expression = result.expression
    document: dict[str, Any] = {"role": expression.role, "field": field_path(expression.path)}
    if result.refusal:
        return {**document, "refused": result.refusal}
    document |= traces.outcome_document(result.outcome)
    expression_trace = answer.trace(expression)
    if expression_trace is None:
        return document
    if explanation := [*_explanation(answer, result, expression_trace)]:
        document["explanation"] = explanation
    return {**document, "trace": traces.document(expression_trace)} if trace else document
