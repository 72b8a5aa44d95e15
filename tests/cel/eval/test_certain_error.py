"""If the precise evaluation is skipped, it would have failed with the same error."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given

from celvet.lint.cel import compile_expression
from celvet.lint.cel.compat.lowering import CallSite
from celvet.lint.cel.compat.messages import translate
from celvet.lint.cel.engine import environment as engine
from celvet.lint.cel.engine.activation import Activation
from celvet.lint.cel.eval import evaluation
from celvet.lint.cel.eval.evaluation import error_is_certain
from celvet.lint.cel.syntax.tree import Node
from tests.cel.dialects import HEALTH
from tests.cel.expressions import Choices, grown
from tests.properties import examples

_VARIABLES: list[dict[str, Any]] = [
    {},
    {"status": {}},
    {"status": {"a": 1, "c": []}},
    {"status": {"a": {"b": True}, "c": [{"d": 1}], "i": 0}, "x": [1]},
    {"status": None, "nope": {}},
    {"status": "s", "nope": [1]},
    {"status.a": {"b": 1}, "status": {}},
    {"x": {"a": 1}, "nope": {"x": "q"}, "int": 3},
]
_LEAVES = ["status", "status.a", "status.a.b", "status.c", "nope.x", "status.c[0].d", "int", "x"]
_LEAVES += ["status['a']", "status.?a.b", "status.zz", "status.c[status.i]", "'s'", "1", "true"]
_LEAVES += ["[]", "[status.a]", "{'a': nope.x}", "sets.contains([1], x)"]
_BINARY = ["&&", "||", "==", "<", "in", "+"]
_FORMS = [
    *(f"({{}} {sign} {{}})" for sign in _BINARY),
    "!{}",
    "({} ? {} : {})",
    "({}).exists(e, {} == e)",
    "({}).filter(status, {}).map(x, {})",
    "({}).optMap(x, {})",
    "has(({}).q)",
    "({})[{}]",
    "size({})",
    "string({})",
    "({}).startsWith({})",
    "({}).orValue({})",
]


def _expression(c: Choices, depth: int = 3) -> str:
    if depth == 0 or c.pick(range(4)) == 0:
        return c.pick(_LEAVES)
    form = c.pick(_FORMS)
    # Not by `format`: a leaf may have braces of its own.
    parts = form.split("{}")
    return parts[0] + "".join(_expression(c, depth - 1) + part for part in parts[1:])


def _tree(text: str) -> Node:
    compiled = compile_expression(text, HEALTH)
    assert compiled.tree
    assert not compiled.refusals
    return compiled.tree


def _plain_error(root: Node, variables: dict[str, Any]) -> str:
    """The error of the evaluation without guards, in the engine's words."""
    view = engine.view(variables, HEALTH.libraries)
    try:
        evaluation._program(root, CallSite.of(HEALTH), precise=False).run(view)
    except engine.Failed as error:
        return str(error)
    return ""


@examples(600)
@given(grown(_expression))
def test_the_precise_evaluation_would_give_the_same(text: str) -> None:
    assume(not compile_expression(text, HEALTH).refusals)
    root = _tree(text)
    for variables in _VARIABLES:
        error = _plain_error(root, variables)
        if error_is_certain(root, HEALTH.libraries, variables, error):
            precise = evaluation._evaluate_precisely(root, HEALTH, Activation(variables), error)
            assert precise.error == translate(error, root, HEALTH.libraries)


@pytest.mark.parametrize(
    ("text", "status", "certain"),
    [
        ("status.a == 'x'", {}, True),
        ("status.a.b == 'x'", {}, True),
        ("status.a['b'].c == 'x'", {}, True),
        ("status.l.filter(e, e.a == 'x').all(e, e.b)", {}, True),
        ("has(status.a.b)", {}, True),
        ("status.l.size() > 0", {}, True),
        ("status.a == 'x' || status.a == 'y'", {}, True),
        ("status.a == 'x' || status.b == 'y'", {}, False),
        ("status.a == 'x'", "text", False),
        ("status.a.b == 'x'", {"a": "text"}, False),
        ("status.l.exists(e, e.a == 'x')", {"l": [{}]}, False),
        ("status.l[status.i].a == 'x'", {"l": [{}]}, False),
        ("'x' == status.a", {}, False),
    ],
)
def test_what_is_certain(text: str, status: Any, certain: bool) -> None:
    root, variables = _tree(text), {"status": status}
    error = _plain_error(root, variables)
    assert error
    assert error_is_certain(root, HEALTH.libraries, variables, error) is certain


def test_no_precise_program_is_made_for_an_object_without_a_status(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(evaluation, "_evaluate_precisely", None)
    compiled = compile_expression("status.conditions.exists(e, e.type == 'Ready')", HEALTH)
    assert compiled.evaluate({}).error == "no such attribute(s): status.conditions"
    assert compiled.evaluate({"status": {}}).error == "no such key: conditions"
