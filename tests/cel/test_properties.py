"""Properties: nothing raises, places are exact, and the engines agree where they overlap."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from celvet.lint.cel import compile_expression
from celvet.lint.cel.compat.lowering import CallSite, lower
from celvet.lint.cel.engine import environment as engine
from celvet.lint.cel.syntax.lexer import Unparsable
from celvet.lint.cel.syntax.parser import parse
from celvet.lint.cel.syntax.tree import Node, always_evaluated, names, parents, walk
from celvet.schemas.dialect import Dialect
from tests.cel.dialects import HEALTH, READY
from tests.cel.expressions import ANY_TEXT, EXPRESSIONS, OBJECTS, broken
from tests.properties import examples

DIALECTS = st.sampled_from([HEALTH, READY])


def shape(node: Node) -> Any:
    """A tree without its places and ids."""
    hidden = {"id", "span", "at", "operand", "target", "args", "elements", "entries"}
    fields = [f for kind in type(node).__mro__ for f in getattr(kind, "__slots__", ())]
    own = [repr(getattr(node, name)) for name in fields if name not in hidden]
    keys = [(repr(e.key)[:9], e.optional) for e in getattr(node, "entries", ())]
    has_target = getattr(node, "target", None) is not None
    return type(node), own, len(keys), has_target, [shape(child) for child in node.children]


@given(EXPRESSIONS)
def test_the_text_of_a_node_parses_to_the_node(text: str) -> None:
    for node in walk(_parsed(text)):
        assert shape(parse(text[slice(*node.span)])) == shape(node)


@given(EXPRESSIONS)
def test_a_node_lies_within_its_parent_and_after_its_elder(text: str) -> None:
    root = _parsed(text)
    for node, parent in parents(root).items():
        assert parent.span.start <= node.span.start <= node.span.end <= parent.span.end
    for node in walk(root):
        children = [child.span for child in node.children]
        assert all(elder.end <= younger.start for elder, younger in pairwise(children))
    assert len({node.id for node in walk(root)}) == len([*walk(root)])


@given(EXPRESSIONS)
def test_names_and_evaluation_hold_for_every_node(text: str) -> None:
    root = _parsed(text)
    up = parents(root)
    for name, ident in names(root):
        assert text[slice(*ident.span)].lstrip(".") == name
    for node in walk(root):
        met = always_evaluated(root, node, up)
        assert met == always_evaluated(root, node)
        assert not met or node is root or always_evaluated(root, up[node], up)


@given(st.one_of(EXPRESSIONS, broken()))
def test_our_parser_reads_what_the_engine_reads(text: str) -> None:
    assume("\x00" not in text and "\ud800" not in text)
    try:
        read = not engine.parse(text, HEALTH)
    except engine.BeyondLimits:
        return
    if read:
        assert 0 <= parse(text).span.start <= len(text)


@given(ANY_TEXT, DIALECTS, OBJECTS)
@examples(300)
def test_nothing_raises(text: str, dialect: Dialect, subject: dict[str, Any]) -> None:
    compiled = compile_expression(text, dialect)
    outcome = compiled.evaluate(subject)
    assert outcome.error or not compiled.refusals
    assert outcome.boolean().error or isinstance(outcome.value, bool)
    assert isinstance(compiled.unknown_calls, tuple)
    assert isinstance(compiled.variables, tuple)
    for refusal in compiled.refusals:
        assert 0 <= refusal.span.start <= refusal.span.end <= len(text)
        assert refusal.message.isprintable() or any(not char.isprintable() for char in text)


@given(EXPRESSIONS, OBJECTS)
@examples(200)
def test_spaces_and_brackets_change_nothing(text: str, subject: dict[str, Any]) -> None:
    plain, spaced = (compile_expression(t, HEALTH) for t in (text, f" (\n{text}\n) // end"))
    assume(plain.analysed and spaced.analysed)
    assert [r.cause for r in plain.refusals] == [r.cause for r in spaced.refusals]
    if not plain.refusals:
        assert repr(plain.evaluate(subject)) == repr(spaced.evaluate(subject))


@given(EXPRESSIONS, OBJECTS)
@examples(300)
def test_guards_change_no_value(text: str, subject: dict[str, Any]) -> None:
    """Guards change errors, and leave values as they are."""
    compiled = compile_expression(text, HEALTH)
    assume(compiled.analysed and not compiled.refusals and compiled.tree)
    plain, precise = (_value(compiled.tree, subject, precise=each) for each in (False, True))
    assert plain is None or repr(plain) == repr(precise)


def _value(root: Node | None, subject: dict[str, Any], *, precise: bool) -> Any:
    """In a list, or None for an error."""
    assert root is not None
    lowered = lower(root, CallSite.of(HEALTH), precise=precise)
    try:
        return [engine.load(lowered, HEALTH.libraries).run(subject)]
    except engine.Failed:
        return None


def _parsed(text: str) -> Node:
    try:
        return parse(text)
    except Unparsable:
        assume(False)
        raise
