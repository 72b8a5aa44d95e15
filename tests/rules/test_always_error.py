"""The proposals of `always-error` work: each replaces the expression and is evaluated."""

from __future__ import annotations

import pytest

from celvet import schemas
from celvet.lint.cel import compile_expression
from celvet.lint.engine import lint_text
from tests.manifests import with_entry


@pytest.mark.parametrize(
    "expression",
    [
        "status.conditions.filter(x, x.type == 'Ready').status == 'True'",
        "status.conditions.filter(x, x.type == 'Ready' || x.type == 'Up').status == 'True'",
        "status.conditions.Ready == 'True'",
        "status.conditions.Ready.status == 'True'",
        "status.conditions['Ready'].status == 'True'",
        "status.conditions['Ready'].reason != 'Waiting'",
    ],
)
def test_the_proposal_is_right(expression: str) -> None:
    findings = lint_text(with_entry(current=expression)).findings
    (found,) = [each for each in findings if each.rule == "always-error"]
    proposed = found.help.removeprefix("Write `").removesuffix("`.")
    dialect = schemas.load().dialects["flux-health"]
    ready = {"type": "Ready", "status": "True", "reason": "Up"}
    objects = [{"status": {"conditions": each}} for each in ([ready], [{**ready, "type": "A"}])]
    assert [
        compile_expression(expression, dialect).evaluate(each).error != "" for each in objects
    ] == [True, True]
    assert [compile_expression(proposed, dialect).evaluate(each).value for each in objects] == [
        True,
        False,
    ]
