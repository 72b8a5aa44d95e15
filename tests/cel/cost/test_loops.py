"""Loops that follow the nesting of an object share its size; the others multiply."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given

from celvet.lint.cel import compile_expression
from celvet.lint.cel.cost.estimate import cost, of_size, of_values
from celvet.lint.cel.cost.size import measure
from celvet.lint.cel.eval.budget import is_affordable
from celvet.lint.cel.eval.excess import ELEMENTS, OBJECT
from celvet.lint.cel.syntax.parser import parse
from celvet.lint.cel.syntax.tree import walk
from tests.cel.cost.visits import TooManyError, Visits
from tests.cel.dialects import HEALTH
from tests.cel.expressions import Choices, grown
from tests.properties import examples

_LIBRARIES = HEALTH.libraries


def _nest(depth: int, over: str = "{0}.x") -> str:
    """Nested loops, each over a part of an element of the outer one."""
    text = "e == 'x'"
    for level in range(depth, 0, -1):
        outer = "status" if level == 1 else f"v{level - 1}"
        text = f"{over.format(outer)}.exists(v{level}, {text})"
    return text.replace("e ==", f"v{depth} ==")


def _steps(text: str, size: int = 2**14) -> int:
    return cost(parse(text), _LIBRARIES, of_size(size)).steps


def _loops(text: str) -> int:
    """The steps, without those for the object as a whole."""
    return _steps(text) - _steps("x == 1")


def _grows(text: str) -> float:
    """The approximate exponent with which the steps grow with the object's size."""
    return (_steps(text, 2**17).bit_length() - _steps(text, 2**14).bit_length()) / 3


@pytest.mark.parametrize(
    "text",
    [
        *map(_nest, range(1, 9)),
        _nest(4, "{0}.x.y[0].z"),
        _nest(4, "{0}.?x.orValue([])"),
        "x.exists(a, a.b.exists(c, true) || a.d.exists(c, true) || a.b.exists(c, true))",
        "x.exists(a, a.?b.optMap(b, b.exists(c, c.d.exists(e, e == c.f))).orValue(false))",
        "x.all(a, (a.b + a.c).all(d, d.e.all(f, f == 'x')))",
        "x.all(a, [a.b, a.c].all(l, l.all(d, true)))",
        "x.exists(a, a == x)",
        "x.all(a, (a.b == 'x' ? a.c : a.d).all(d, d.e.all(f, true)))",
    ],
)
def test_what_follows_the_nesting_is_linear(text: str) -> None:
    assert 0.6 < _grows(text) < 1.4
    assert compile_expression(text, HEALTH).excess is None
    assert is_affordable(cost(parse(text), _LIBRARIES, of_size(OBJECT, ELEMENTS)))


@pytest.mark.parametrize(
    ("text", "power"),
    [
        ("x.all(a, x.all(b, true))", 2),
        ("x.all(a, x.all(b, x.all(c, true)))", 3),
        ("x.all(a, a.b.all(c, a.b.all(d, true)))", 2),
        ("x.all(a, a.b.all(c, c.d.all(e, a.b.all(f, true))))", 2),
        ("x.all(a, a.b.all(c, a.b.all(d, a.b.all(e, true))))", 3),
        ("x.all(a, a.b.all(c, c.d.all(e, x.all(f, f.b.all(g, true)))))", 2),
        ("x.all(a, [x, x].all(b, b.all(c, true)))", 2),
        ("x.all(a, x.filter(b, true).all(c, c.d.all(e, true)))", 3),
        ("x.map(a, x).all(b, b.all(c, true))", 2),
        ("x.all(a, y == y)", 2),
        ("x.filter(a, a.b == 1).size() > 0", 2),
    ],
)
def test_what_reads_again_multiplies(text: str, power: int) -> None:
    assert abs(_grows(text) - power) < 0.5


def test_a_literal_list_multiplies() -> None:
    inner = "x.all(a, a.b.all(c, true))"
    nine = f"[1, 2, 3].all(l, [1, 2, 3].all(m, {inner}))"
    assert 8 * _loops(inner) < _loops(nine) < 10 * _loops(inner)


@pytest.mark.parametrize("over", ["{0}['x'].filter(f, f.y == 1)", "{0}.x.map(m, m.y)"])
def test_lists_made_of_the_nested_ones_share_what_they_are_made_of(over: str) -> None:
    assert compile_expression(_nest(3, over), HEALTH).excess is None


def test_a_self_join_is_still_reported() -> None:
    excess = compile_expression("x.all(a, x.all(b, x.all(c, a != b || true)))", HEALTH).excess
    assert excess is not None
    assert (excess.power, excess.always) == (3, False)


_FIELDS = ("a", "b", "c")
_INDEXES = ("0", "1", "'a'", "'b'")


def _nested(c: Choices, depth: int = 4) -> Any:
    """A value of JSON, mostly lists."""
    kind = c.pick(range(5)) if depth else 0
    if kind == 0:
        return c.pick([0, "", "xyz", None])
    if kind == 4:
        return {field: _nested(c, depth - 1) for field in _FIELDS[: c.pick(range(4))]}
    return [_nested(c, depth - 1) for _ in range(c.pick(range(6)) + 3 * (kind == 3))]


def _value(c: Choices, names: tuple[str, ...] = ("x", "y"), depth: int = 4) -> str:
    """An expression for a value, mostly something within a variable."""

    def below() -> str:
        return _value(c, names, depth - 1) if depth else c.pick(names)

    form = c.pick(range(12 if depth else 4))
    if form == 0:
        return c.pick(names)
    if form <= 2:
        return f"{below()}.{c.pick(_FIELDS)}"
    if form == 3:
        return f"{below()}[{c.pick(_INDEXES)}]"
    if form <= 7:
        name = f"v{len(names)}"
        macro = c.pick(["exists", "all", "map", "filter", "map", "exists_one"])
        return f"{below()}.{macro}({name}, {_value(c, (*names, name, name, name), depth - 1)})"
    shape = ["({} + {})", "({} == {})", "(true ? {} : {})", "[{}, {}]"][form - 8]
    return shape.format(below(), below())


def _check(text: str, variables: dict[str, Any]) -> None:
    """Compare the meter's estimate for each sub-expression with the result."""
    root = parse(text)
    try:
        visits = Visits(root, variables)
    except TooManyError:
        assume(False)
    for lookup in (of_values(variables), of_size(max(map(measure, variables.values())))):
        bound = cost(root, _LIBRARIES, lookup)
        assert measure(visits.result) <= bound.result.bytes <= bound.bytes
        for node in walk(root):
            work = 10 * visits.times[node] + 30 * visits.rounds[node]
            assert work + visits.compared[node] // 8 <= bound.parts[node].steps + visits.times[node]


@given(grown(_value), grown(_nested), grown(_nested))
@examples(150)
def test_no_evaluation_does_more_than_estimated(text: str, x: Any, y: Any) -> None:
    _check(text, {"x": x, "y": y})


_LOOPS = ["{}.{}.all({}, ", "{}.{}.map({}, ", "{}.{}.filter(f, true).exists({}, "]


def _joins(c: Choices) -> str:
    """Nested loops, each over a field of any outer variable."""
    text, names = "", ["x"]
    for name in ("p", "q", "r", "s", "t")[: c.pick(range(1, 6))]:
        over, field = c.pick(names), c.pick(["a", "b"])
        text += c.pick(_LOOPS).format(over, field, name)
        names.append(name)
    return text + f"({c.pick(names)} == {c.pick(names)})" + ")" * (len(names) - 1)


def _wide(c: Choices, depth: int = 4) -> Any:
    """Lists of objects of lists, with empty texts at the bottom."""
    if depth == 0 or c.pick(range(4)) == 0:
        return [""] * c.pick(range(10))
    return [{"a": _wide(c, depth - 1), "b": _wide(c, depth - 1)} for _ in range(c.pick(range(5)))]


@given(grown(_joins), grown(_wide), grown(_wide))
@examples(400)
def test_loops_over_anything_around_them_do_no_more_than_estimated(
    text: str, one: Any, other: Any
) -> None:
    _check(text, {"x": {"a": one, "b": other}})
