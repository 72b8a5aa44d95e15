"""Several expressions of one role, one after the other, in the words of the dialect."""

from __future__ import annotations

from typing import Any

import pytest

from celvet.lint.cel import compile_expression
from celvet.lint.checks import Check, Expression
from celvet.lint.verdicts.flux_cel import evaluate
from celvet.schemas import Dialect
from celvet.schemas.dialect import Role

_ALL = Role("rule", answer="True")
_ANY = Role("rule", answer="True", join="any", skips=True)


def _verdict(role: Role, *texts: str, **x: Any) -> str:
    dialect = Dialect(
        f"{role.join} of several",
        "cel",
        "",
        checked=True,
        late=True,
        variables={"x": "dyn"},
        roles=(role,),
        otherwise="False",
        fails="Error",
    )
    expressions = tuple(
        Expression(("rules", index), "rule", compile_expression(text, dialect))
        for index, text in enumerate(texts)
    )
    check = Check((), {}, "", ("", ""), dialect, expressions)
    return evaluate(check, {}, {"x": x}).status


@pytest.mark.parametrize(
    ("texts", "status"),
    [
        (["x.a", "x.b // with a comment"], "True"),
        (["x.a", "!x.b"], "False"),
        (["!x.a", "x.missing"], "False"),
        (["x.missing", "!x.a"], "Error"),
        (["!x.a", "x ="], "False"),
        (["x.a", "x ="], "Error"),
        (["x.a", "'yes'"], "Error"),
    ],
)
def test_all(texts: list[str], status: str) -> None:
    assert _verdict(_ALL, *texts, a=True, b=True) == status


@pytest.mark.parametrize(
    ("texts", "status"),
    [
        (["x.missing", "x.a"], "True"),
        (["x =", "x.a"], "True"),
        (["'yes'", "x.a"], "True"),
        (["x.missing", "x ="], "False"),
        (["x.missing"], "False"),
        (["x ="], "False"),
    ],
)
def test_any_of_which_some_are_skipped(texts: list[str], status: str) -> None:
    assert _verdict(_ANY, *texts, a=True) == status
