"""Variables that are maps of values which earlier expressions of the same check give.

Mirrors `oidcClaimsProcessor.Evaluate` of notification-controller (2e46958, receiver_claims.go) and
the claims processor of Flux Operator (v0.58.1, internal/web/auth/claims.go): the expressions are
evaluated in order, each sees the values before it, and the first that fails ends it all.
"""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.checks.check import CelExpression, Check
from celvet.lint.model import Value
from celvet.lint.values import list_at, text_at
from celvet.record import record
from celvet.schemas.walk import steps


@record
class NamedValues:
    """The variables with the values of the named expressions.

    `failed` is the first that failed, with its `error`; the values behind it are missing.
    """

    variables: Mapping[str, Value]
    failed: CelExpression | None = None
    error: str = ""


def named_values(check: Check, variables: Mapping[str, Value]) -> NamedValues:
    """The variables of a check, with those that its own expressions give."""
    dialect = check.dialect
    expressions = {expression.path: expression for expression in check.cel}
    for variable, place in dialect.sources.items() if dialect else ():
        path, _, name = place.partition("[].")
        values: dict[str, Value] = {}
        variables = {**variables, variable: values}
        start = (*check.path, *steps(path))
        for index, entry in enumerate(list_at(check.value, steps(path))):
            for expression in (expressions.get((*start, index, key)) for key in entry or ()):
                if expression is None:
                    continue
                outcome = expression.program.evaluate(variables)
                if outcome.error:
                    return NamedValues(variables, expression, outcome.error)
                values[text_at(entry, (name,))] = outcome.value
    return NamedValues(variables)
