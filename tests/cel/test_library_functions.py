"""Kubernetes' functions that celvet has in Python, in the values and errors of k8s.io/apiserver."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.cel import Compiled, compile_expression
from celvet.record import replace
from celvet.schemas import Dialect, load
from tests.tables import Table

_TABLE = Table(Path(__file__).with_name("library_functions.yaml"))
_LIBRARIES = (
    *("optional", "strings", "kubernetes-lists", "kubernetes-regex", "url"),
    *("quantity", "ip", "cidr", "semver", "ocm-conditions"),
)
_KRO = replace(load().dialects["kro-ready"], wrap="none", result="", results=(), dependent=())
_OBJECT = {"text": "ab1c22", "list": [3, 1, 2], "words": ["a", "b"], "n": 1}


def _compiled(text: str, *, checked: bool = True) -> Compiled:
    variables = {"object": "dyn"}
    name = f"kubernetes {checked}"
    dialect = Dialect(
        name, "cel", "", checked=checked, variables=variables, libraries=_LIBRARIES, options=()
    )
    return compile_expression(text, dialect)


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize(("text", "value"), _TABLE.section("values"))
def test_a_value(text: str, value: Any, checked: bool) -> None:
    outcome = _compiled(text, checked=checked).evaluate({"object": _OBJECT})
    assert outcome.analysed
    assert outcome.value == value
    assert (type(outcome.value), bool(outcome.error)) == (type(value), value is None)


@pytest.mark.parametrize(("text", "error"), _TABLE.section("errors"))
def test_an_error(text: str, error: str) -> None:
    outcome = _compiled(text, checked=False).evaluate({"object": _OBJECT})
    assert outcome.error == error


@pytest.mark.parametrize(("text", "cause"), _TABLE.section("refusals"))
def test_what_the_type_checker_refuses(text: str, cause: str) -> None:
    assert [refusal.cause for refusal in _compiled(text).refusals] == [cause]


@pytest.mark.parametrize(
    ("text", "obj"),
    [
        ("object.l.all(x, object.t.find('(a*)*b') == '')", {"l": [*range(5000)], "t": "a" * 500}),
        ("object.t.find('(a|aa)+$') == ''", {"t": "a" * 20000 + "b"}),
        ("object.l.map(x, quantity(object.t)) == []", {"l": [*range(9000)], "t": "9" * 3000}),
    ],
)
def test_a_hostile_object_is_not_evaluated(text: str, obj: Any) -> None:
    assert not _compiled(text).evaluate({"object": obj}).analysed


@pytest.mark.parametrize(("text", "value"), _TABLE.section("kro"))
def test_libraries_of_kro(text: str, value: Any) -> None:
    assert compile_expression(text, _KRO).evaluate({}).value == value


@pytest.mark.parametrize(("text", "error"), _TABLE.section("kro errors"))
def test_errors_of_the_libraries_of_kro(text: str, error: str) -> None:
    assert compile_expression(text, _KRO).evaluate({}).error.startswith(error)


def test_flatten_needs_a_list_of_lists_where_types_are_checked() -> None:
    assert compile_expression("[1, 2].flatten()", _KRO).refusals


_PAIRS = {"m": {"a": {"s": "up"}, "b": {"s": "down"}}, "l": [3, 1]}


@pytest.mark.parametrize(("text", "value"), _TABLE.section("two variables"))
def test_macros_of_two_variables(text: str, value: Any) -> None:
    program = compile_expression(text, replace(_KRO, variables={"o": "dyn"}))
    assert program.evaluate({"o": _PAIRS}).value == value
    assert program.trace({"o": _PAIRS}).complete


@pytest.mark.parametrize(("text", "error"), _TABLE.section("two variables errors"))
def test_errors_of_macros_of_two_variables(text: str, error: str) -> None:
    program = compile_expression(text, replace(_KRO, variables={"o": "dyn"}))
    assert program.evaluate({"o": _PAIRS}).error.startswith(error)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("cel.bind(p, o.m.a.s, p == 'up' || p == 'down')", True),
        ("cel.bind(p, o.nope, true)", True),
        ("cel.bind(p, o.nope, p == 1)", "no such key: nope"),
        ("cel.bind(p, 1, cel.bind(p, p + 1, p))", 2),
        ("cel.bind(y, 3, [1].map(x, x + y))", [4]),
        ("o.l.exists(i, v, cel.bind(w, v + 1, w == 2))", True),
        ("cel.bind(l, o.l, l.exists(i, v, v == 2))", False),
        ("cel.bind(x, o.?a, x.hasValue())", False),
        ("[1].map(x, cel.bind(y, x, [3].map(x, x + y)))", "not evaluated: "),
        (
            "".join(f"cel.bind(x{n}, {2 * f'x{n - 1} + '} 1, " for n in range(1, 30))
            + "x29"
            + 29 * ")",
            "not",
        ),
    ],
)
def test_a_name_for_a_value(text: str, outcome: Any) -> None:
    program = compile_expression(text, replace(_KRO, variables={"o": "dyn", "x0": "int"}))
    result = program.evaluate({"o": _PAIRS, "x0": 1})
    assert result.error.startswith(outcome) if result.error else result.value == outcome


def test_a_macro_of_two_variables_needs_two_names() -> None:
    assert compile_expression("[1].all(1, v, true)", _KRO).refusals


def test_a_type_that_only_the_engine_infers_is_no_reason_to_refuse() -> None:
    text = "o.l.distinct().all(v, size(v) > 0 && string(v) == 'a')"
    assert not compile_expression(text, replace(_KRO, variables={"o": "dyn"})).refusals
