"""Examples that an evaluator may tell apart, to begin a health test with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from celvet.lint.cel import Compiled
from celvet.lint.checks import AnyExpression, Check
from celvet.lint.controllers.evaluator import Evaluator
from celvet.lint.controllers.examples import Example
from celvet.lint.model import GroupKind, Value
from celvet.lint.predict import check_model, table
from celvet.schemas import kind_facts


def examples(evaluator: Evaluator, declaration: Value) -> Iterator[Example]:
    """The stock states for CEL expressions, else what the controller's package has."""
    expressions = evaluator.expressions
    if any(isinstance(each.program, Compiled) for each in expressions):
        return _states(evaluator.group_kind or GroupKind("", ""), expressions)
    return evaluator.examples(declaration)


def _states(kind: GroupKind, expressions: Sequence[AnyExpression]) -> Iterator[Example]:
    api_version = f"{kind.group}/v1" if kind.group else "v1"
    dialect = expressions[0].dialect
    check = Check((), {}, "", (api_version, kind.kind), dialect, tuple(expressions))
    model = check_model(check, None, kind_facts(kind.group, kind.kind))
    known = table(model) if model else None
    for row in (*known.rows, *known.witnesses()) if known else ():
        name = f"an object {row.state.description}"
        yield Example(name, (row.state.object,), dependency=bool(dialect.object))
