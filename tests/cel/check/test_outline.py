"""Results for a text do not depend on earlier texts that differ in some words."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.cel import compile_expression
from celvet.lint.cel.check.outline import outline
from celvet.lint.cel.syntax.tree import Select, walk
from celvet.schemas.dialect import Dialect
from tests.cel.dialects import HEALTH, READY
from tests.cel.expressions import EXPRESSIONS

_WORDS = ["a", "phase", "contains", "Timestamp", "true", "in", "metadata", "labels", "name", "for"]
_WORD = re.compile(r"(?<=\.)[a-z_]\w*|(?<=['\"])[A-Za-z]+(?=['\"])")
_COMPARISONS = [
    "status.phase == 'Ready'",
    "sets.contains(status.list, ['a'])",
    "metadata.labels.all(a, metadata.labels.all(b, a.startsWith(b)))",
    "spec.names.all(a, spec.names.all(b, spec.names.all(c, a == 'x' || c == b)))",
    "google.protobuf.Timestamp == type(status.time)",
    "google.protobuf.Int32Value{value: 1}.value == 1",
    "type(status.phase) == string && status.phase.matches('[a') == 'x'.matches('a')",
    "status.x.lowerAscii() != 'ready' && nope(status.x == 'y')",
    "status.phase // status.x == 'y'\n == 'it\"s.phase' || \"it's.phase\" == status.phase",
    "'status.phase == ' + \"'Ready'\" == status.phase && r'a.phase' != status.r",
]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a.b == 'c'", "a.cd == 'e'"),
        ('a.b != "c" && d[0].e', "a.f != 'g' && d[0].h"),
        ("has(a.b) && c", "has(a.d)   // and why\n  && c"),
    ],
)
def test_fields_and_what_is_compared_are_no_part_of_an_outline(one: str, other: str) -> None:
    assert outline(one, ()) == outline(other, ())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a.b == 'c'", "a.b == 'cd'"),
        ("a.b == 'c'", "b.b == 'c'"),
        ("a.b()", "a.c()"),
        ("a.b // \n ()", "a.c // \n ()"),
        ("'a.b'", "'a.c'"),
        ("'''a.b == 'c' '''", "'''a.b == 'd' '''"),
        ("a == `b.c`", "a == `b.d`"),
        ("a.conditions", "a.b"),
        ("a.b", "a.."),
        ("a.b", "a.true"),
        ("a.metadata", "a.b"),
        ("a == 'c'.b()", "a == 'd'.b()"),
        ("a.matches('c')", "a.matches('(')"),
        (r"a == '\n'", r"a == '\q'"),
        ("'c' == a", "'d' == a"),
        ("a == 1", "a == 2"),
        ("google.protobuf.Any", "google.protobuf.Duration"),
    ],
)
def test_all_else_is(one: str, other: str) -> None:
    assert outline(one, ()) != outline(other, ())


@given(
    st.one_of(EXPRESSIONS, st.sampled_from(_COMPARISONS)),
    st.sampled_from([HEALTH, READY]),
    st.lists(st.sampled_from(_WORDS), min_size=3),
)
def test_a_text_is_compiled_as_if_it_were_the_first(
    text: str, dialect: Dialect, words: list[str]
) -> None:
    chosen = iter(words)
    other = _WORD.sub(lambda match: next(chosen, match[0]), text)
    _forget()
    alone = _answers(text, dialect)
    _forget()
    compile_expression(other, dialect)
    assert _answers(text, dialect) == alone


def test_a_text_as_long_as_another_one_is_read_without_recursion() -> None:
    _forget()
    for field in ("b", "c"):
        compiled = compile_expression("a" + f".{field}" * 900, HEALTH)
        assert compiled.tree
        fields = {node.field for node in walk(compiled.tree) if isinstance(node, Select)}
        assert fields == {field}


def _forget() -> None:
    for name in ("_first", "_remembered"):
        compile_expression.__globals__[name].clear()


def _answers(text: str, dialect: Dialect) -> Any:
    compiled = compile_expression(text, dialect)
    return (
        *(
            compiled.text,
            compiled.refusals,
            compiled.analysed,
            compiled.result_type,
            compiled.unevaluated,
        ),
        repr(compiled.tree),
        [(name, node.span) for name, node in compiled.variables],
        [(call.name, call.node.span) for call in compiled.unknown_calls],
        compiled.excess
        and (compiled.excess.power, compiled.excess.node.span, compiled.excess.always),
    )
