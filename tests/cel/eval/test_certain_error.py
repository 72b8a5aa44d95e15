"""Where the program with guards is not tried, it would fail with the same error."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given

from celvet.lint.cel import compile_expression
from celvet.lint.cel.compat.lowering import CallSite
from celvet.lint.cel.compat.messages import translate
from celvet.lint.cel.engine import environment as engine
from celvet.lint.cel.eval import evaluation
from celvet.lint.cel.syntax.tree import Node
from tests.cel.dialects import HEALTH
from tests.cel.expressions import Choices, grown
from tests.properties import examples

_VARIABLES: list[dict[str, Any]] = [
    {},
    {"status": {}},
    {"status": {"a": {"b": True}, "c": [{"d": 1}], "i": 0}, "x": [1]},
    {"status": None, "nope": {}},
    {"status": "s", "nope": [1]},
    {"status.a": {"b": 1}, "status": {}},
    {"x": {"a": 1}, "nope": {"x": "q"}, "int": 3},
]
_LEAVES = ["status", "status.a", "status.a.b", "status.c", "nope.x", "status.c[0].d", "int", "x"]
_LEAVES += ["status['a']", "status.?a.b", "status['a'].b", "status.c[status.i]", "'s'", "1", "true"]
_LEAVES += ["[]", "[status.a]", "{'a': nope.x}", "sets.contains([1], x)", "size(x).a", "[x][0].b"]
_FORMS = [f"({{}} {sign} {{}})" for sign in ("&&", "||", "==", "<", "in", "+")]
_FORMS += ["!{}", "({} ? {} : {})", "({}).exists(e, {} == e)", "({}).filter(status, {}).map(x, {})"]
_FORMS += ["({}).optMap(x, {})", "has(({}).q)", "({})[{}]", "string({})", "({}).orValue({})"]


def _expression(c: Choices, depth: int = 3) -> str:
    if depth == 0 or c.pick(range(4)) == 0:
        return c.pick(_LEAVES)
    parts = c.pick(_FORMS).split("{}")  # not by `format`: a leaf may have braces of its own
    return parts[0] + "".join(_expression(c, depth - 1) + part for part in parts[1:])


def _error(root: Node, variables: dict[str, Any], *, precise: bool) -> str:
    """The error of the evaluation in the engine's words; empty for a value."""
    view = engine.view(variables, HEALTH.libraries)
    try:
        evaluation._program(root, CallSite.of(HEALTH), precise=precise).run(view)
    except engine.Failed as error:
        return str(error)
    return ""


@examples(600)
@given(grown(_expression))
def test_guards_would_not_change_a_certain_error(text: str) -> None:
    compiled = compile_expression(text, HEALTH)
    assume(compiled.tree and not compiled.refusals)
    root = compiled.tree
    assert root
    for variables in _VARIABLES:
        error = _error(root, variables, precise=False)
        if error and evaluation.is_certain(error, root, variables):
            guarded_error = _error(root, variables, precise=True)
            words = [translate(text, root, HEALTH.libraries) for text in (error, guarded_error)]
            assert words[0] == words[1]


@pytest.mark.parametrize(
    ("text", "status", "certain"),
    [
        ("status.a == 'x'", {}, True),
        ("status.a.b == 'x'", {}, True),
        ("status.a['b'].c == 'x'", {}, False),
        ("status.l.filter(e, e.a == 'x').all(e, e.b)", {}, True),
        ("has(status.a.b)", {}, True),
        ("status.a == 'x' || status.a == 'y'", {}, True),
        ("status.a == 'x' || status.b == 'y'", {}, False),
        ("status.a == 'x'", "text", False),
        ("status.a.b == 'x'", {"a": "text"}, False),
        ("status.l.exists(e, e.a == 'x')", {"l": [{}]}, False),
        ("size(status.l).a == 'x'", {"l": [], "a": 1}, False),
        ("'x' == status.a", {}, False),
    ],
)
def test_what_is_certain(text: str, status: Any, certain: bool) -> None:
    root, variables = compile_expression(text, HEALTH).tree, {"status": status}
    assert root
    error = _error(root, variables, precise=False)
    assert error
    assert evaluation.is_certain(error, root, variables) is certain
