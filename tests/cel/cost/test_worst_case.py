"""The evaluation on samples gives the engine's values, and what it takes is that of the whole."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from celvet.lint.cel import compile_expression
from celvet.lint.cel.cost.worst_case.calls import FailedError
from celvet.lint.cel.cost.worst_case.objects import Objects
from celvet.lint.cel.cost.worst_case.run import Run
from celvet.lint.cel.cost.worst_case.search import worst_case
from celvet.lint.cel.cost.worst_case.shapes import Shapes
from celvet.lint.cel.cost.worst_case.values import Entries, Items, Text
from celvet.lint.cel.eval.budget import ELEMENTS, OBJECT
from celvet.lint.cel.syntax.parser import parse
from tests.cel.dialects import HEALTH
from tests.cel.expressions import EXPRESSIONS, Choices, grown
from tests.properties import examples

_LIBRARIES = HEALTH.libraries
_HINTS = ["a", ",", "a,"]
_ALL = 10_000


def _plain(value: Any) -> Any:
    """A value that is written out."""
    if isinstance(value, Text):
        assert len(value.sample) == value.size
        return value.sample
    if isinstance(value, Items):
        return [_plain(group.value) for group in value.groups for _ in range(group.times)]
    if isinstance(value, Entries):
        return {key: _plain(group.value) for key, group in value.held.items()}
    return value


def _text(c: Choices, names: tuple[str, ...], depth: int) -> str:
    def text() -> str:
        return _text(c, names, depth - 1)

    forms = [
        lambda: c.pick(["s.m", "s.p", *names]),
        lambda: c.pick(["'a'", "','", "'ab'", "''"]),
        lambda: f"({text()} + {text()})",
        lambda: f"{text()}.{c.pick(['lowerAscii', 'trim', 'reverse', 'upperAscii'])}()",
        lambda: f"{text()}.replace({text()}, {text()})",
        lambda: f"{text()}.substring({c.pick('012')})",
        lambda: f"{text()}.substring(0, {c.pick('012')})",
        lambda: f"{text()}.charAt({c.pick('012')})",
        lambda: f"{_list(c, names, depth - 1)}.join({text()})",
        lambda: f"base64.encode(bytes({text()}))",
        lambda: f"strings.quote({text()})",
        lambda: f"'%s-%s'.format([{text()}, {text()}])",
        lambda: f"({_condition(c, names, depth - 1)} ? {text()} : {text()})",
        lambda: f"string({_list(c, names, depth - 1)}.size())",
    ]
    return (c.pick(forms) if depth > 0 else forms[c.pick(range(2))])()


def _list(c: Choices, names: tuple[str, ...], depth: int) -> str:
    def text() -> str:
        return _text(c, names, depth - 1)

    if depth <= 0 or c.pick(range(3)) == 0:
        return c.pick(["s.i", "s.o"])
    name = f"v{len(names)}"
    inner = (*names, name)
    return c.pick(
        [
            lambda: f"{text()}.split({text()})",
            lambda: f"{text()}.split(',', {c.pick('0123')})",
            lambda: f"{_list(c, names, depth - 1)}.map({name}, {_text(c, inner, depth - 1)})",
            lambda: (
                f"{_list(c, names, depth - 1)}.filter({name}, {_condition(c, inner, depth - 1)})"
            ),
            lambda: f"({_list(c, names, depth - 1)} + [{text()}])",
        ]
    )()


def _condition(c: Choices, names: tuple[str, ...] = (), depth: int = 4) -> str:
    def text() -> str:
        return _text(c, names, depth - 1)

    def elements() -> str:
        return _list(c, names, depth - 1)

    def condition() -> str:
        return _condition(c, names, depth - 1)

    name = f"v{len(names)}"
    forms = [
        lambda: f"{text()} {c.pick(['==', '!=', '<', '>='])} {text()}",
        lambda: f"{text()}.{c.pick(['contains', 'startsWith', 'endsWith'])}({text()})",
        lambda: f"{text()}.{c.pick(['indexOf', 'lastIndexOf'])}({text()}) > {c.pick('012')}",
        lambda: f"{text()}.matches('{c.pick(['a+', '^a*$', '[^,]b', 'ab?,'])}')",
        lambda: f"{text()}.size() > {c.pick('0123')}",
        lambda: f"{elements()}.size() == {c.pick('0123')}",
        lambda: f"{text()} in {elements()}",
        lambda: (
            f"sets.{c.pick(['contains', 'intersects', 'equivalent'])}({elements()}, {elements()})"
        ),
        lambda: f"({condition()} {c.pick(['&&', '||'])} {condition()})",
        lambda: f"!({condition()})",
        lambda: (
            f"{elements()}.{c.pick(['all', 'exists', 'exists_one'])}({name}, "
            f"{_condition(c, (*names, name), depth - 1)})"
        ),
        lambda: f"({elements()} == {elements()})",
    ]
    return (c.pick(forms) if depth > 0 else forms[0])()


@given(grown(_condition), st.lists(st.integers(0, 999), min_size=12, max_size=12))
@examples(150)
def test_an_evaluation_on_samples_gives_the_value_of_the_engine(
    text: str, picked: list[int]
) -> None:
    compiled = compile_expression(text, HEALTH)
    assume(compiled.tree and not compiled.refusals)
    assert compiled.tree
    objects = Objects(Shapes(compiled.tree, _LIBRARIES).variables, _HINTS, 36, 3)
    numbers = iter([*picked, *[0] * len(objects.slots)])
    variables = objects.made({slot: next(numbers) % len(slot.options) for slot in objects.slots})
    assert variables is not None
    try:
        value = Run(_LIBRARIES, _ALL).value(compiled.tree, variables)
    except FailedError:
        return
    plain = {name: _plain(each) for name, each in variables.items()}
    outcome = compiled.evaluate(plain)
    assume(outcome.analysed)
    assert (outcome.value, outcome.error) == (value, ""), (text, plain)


@given(st.one_of(grown(_condition), EXPRESSIONS))
@examples(10)
def test_a_search_never_fails(text: str) -> None:
    compiled = compile_expression(text, HEALTH)
    assume(compiled.tree and not compiled.refusals)
    assert compiled.tree
    found = worst_case(
        compiled.tree, _LIBRARIES, OBJECT, ELEMENTS, of=lambda taken: taken.total + taken.bytes
    )
    assert found is None or found.total >= 0


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        # measured, or extrapolated from a part
        ("s.m.indexOf(s.p + 'z') > 0", 150),
        ("x.all(a, x.all(b, s.m.lowerAscii() != b))", 9_700),
        ("x.exists(a, s.m.split(',').size() == 3)", 44),
        ("x.all(a, !s.m.matches('^[a-z]+$'))", 15),
        ("s.m.split(',').exists(p, p in x)", 50),
    ],
)
def test_what_the_worst_object_takes(text: str, seconds: int) -> None:
    found = worst_case(parse(text), _LIBRARIES, OBJECT, ELEMENTS, of=lambda taken: taken.total)
    assert found is not None
    assert seconds / 4 < found.total / 100_000_000 < 4 * seconds
