"""Where no precise evaluation is made, it would have ended in the same error."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from celvet.lint.cel import compile_expression
from celvet.lint.cel.compat.messages import translate
from celvet.lint.cel.compat.precise_needed import foregone
from celvet.lint.cel.engine import environment as engine
from celvet.lint.cel.engine.activation import Bound
from celvet.lint.cel.eval import evaluation
from celvet.lint.cel.syntax.tree import Node
from tests.cel.tables import HEALTH
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


def _over(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(_BINARY), inner),
        st.builds("!{}".format, inner),
        st.builds("({} ? {} : {})".format, inner, inner, inner),
        st.builds("({}).exists(e, {} == e)".format, inner, inner),
        st.builds("({}).filter(status, {}).map(x, {})".format, inner, inner, inner),
        st.builds("({}).optMap(x, {})".format, inner, inner),
        st.builds("has(({}).q)".format, inner),
        st.builds("({})[{}]".format, inner, inner),
        st.builds("size({})".format, inner),
        st.builds("string({})".format, inner),
        st.builds("({}).startsWith({})".format, inner, inner),
        st.builds("({}).orValue({})".format, inner, inner),
    )


_EXPRESSIONS = st.recursive(st.sampled_from(_LEAVES), _over, max_leaves=6)


def _tree(text: str) -> Node:
    compiled = compile_expression(text, HEALTH)
    assert compiled.tree
    assert not compiled.refusals
    return compiled.tree


def _plain_error(root: Node, variables: dict[str, Any]) -> str:
    """What the evaluation without guards ends in, in the engine's words."""
    view = engine.view(variables, HEALTH.libraries)
    try:
        evaluation._program(root, HEALTH.libraries, HEALTH.checked, precise=False).run(view)
    except engine.Failed as error:
        return str(error)
    return ""


@examples(600)
@given(_EXPRESSIONS)
def test_the_precise_evaluation_would_give_the_same(text: str) -> None:
    assume(not compile_expression(text, HEALTH).refusals)
    root = _tree(text)
    for variables in _VARIABLES:
        error = _plain_error(root, variables)
        if foregone(root, HEALTH.libraries, variables, error):
            precise = evaluation._precisely(root, HEALTH, Bound(variables), error)
            assert precise.error == translate(error, root)


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
    assert foregone(root, HEALTH.libraries, variables, error) is certain


def test_no_precise_program_is_made_for_an_object_without_a_status(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(evaluation, "_precisely", None)
    compiled = compile_expression("status.conditions.exists(e, e.type == 'Ready')", HEALTH)
    assert compiled.evaluate({}).error == "no such attribute(s): status.conditions"
    assert compiled.evaluate({"status": {}}).error == "no such key: conditions"
