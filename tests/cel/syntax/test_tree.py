"""The source tree: its nodes and places, its names, and what is always evaluated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.cel import compile_expression
from celvet.lint.cel.syntax.lexer import Unparsable
from celvet.lint.cel.syntax.parser import parse
from celvet.lint.cel.syntax.tree import (
    Call,
    Ident,
    ListExpr,
    Literal,
    Macro,
    Node,
    Select,
    StructExpr,
    always_evaluated,
    always_fails,
    names,
    parents,
    walk,
)
from tests.cel.dialects import HEALTH, READY
from tests.tables import Table

_TREE = Table(Path(__file__).with_name("tree.yaml"))


def _described(node: Node) -> str:
    """A node in one line, as in the table."""
    said: Any = ""
    match node:
        case Literal():
            said = f"{node.kind} {node.value!r}"
        case Ident() | StructExpr():
            said = node.name
        case Select():
            said = f"{node.field} optional" if node.optional else node.field
        case Call():
            said = node.function
        case Macro():
            said = " ".join([node.name, *node.variables])
        case ListExpr():
            said = " ".join(map(str, sorted(node.optional)))
    return f"{type(node).__name__} {said}".strip()


def _line(node: Node, text: str) -> list[str]:
    places = [node.span]
    if isinstance(node, Select | Call | Macro | StructExpr):
        places.append(node.at)
    return [_described(node), *(text[slice(*place)] for place in places)]


@pytest.mark.parametrize("case", _TREE.cases("trees"))
def test_tree(case: dict[str, Any]) -> None:
    assert [_line(node, case["text"]) for node in walk(parse(case["text"]))] == case["nodes"]


@pytest.mark.parametrize("case", _TREE.cases("names"))
def test_free_names(case: dict[str, Any]) -> None:
    assert [name for name, _ in names(parse(case["text"]))] == case["names"]


@pytest.mark.parametrize("case", _TREE.cases("variables"))
def test_variables(case: dict[str, Any]) -> None:
    found = compile_expression(case["text"], HEALTH).variables
    assert [name for name, _ in found] == case["names"]


@pytest.mark.parametrize("case", _TREE.cases("always"))
def test_always_evaluated(case: dict[str, Any]) -> None:
    root = parse(case["text"])
    found = [node for node in walk(root) if case["text"][slice(*node.span)] == case["node"]]
    assert always_evaluated(root, found[0]) is case["is"]
    assert always_evaluated(root, found[0], parents(root)) is case["is"]


@pytest.mark.parametrize("case", _TREE.cases("failing"))
def test_always_fails(case: dict[str, Any]) -> None:
    root = parse(case["text"])
    bad = [node for node in walk(root) if case["text"][slice(*node.span)] == "bad"]
    assert bad
    assert always_fails(root, bad) is case["is"]


@pytest.mark.parametrize("case", _TREE.cases("unknown"))
def test_unknown_functions(case: dict[str, Any]) -> None:
    calls = compile_expression(case["text"], HEALTH).unknown_calls
    if case.get("none"):
        assert calls == ()
        return
    first = calls[0]
    assert first.name == case["name"]
    assert case["says"] in first.message
    assert case["hint"] in first.hint
    assert bool(case["hint"]) == bool(first.hint)


def test_a_checked_site_has_its_unknown_functions_among_the_refusals() -> None:
    compiled = compile_expression("quantity(self) == 1", READY)
    assert compiled.unknown_calls == ()
    assert [refusal.name for refusal in compiled.refusals] == ["quantity"]


def test_a_long_chain_is_a_shallow_tree() -> None:
    root = parse(" && ".join(["a"] * 1000))
    up = parents(root)
    node: Node = next(node for node in walk(root) if isinstance(node, Ident))
    depth = 0
    while node in up:
        node, depth = up[node], depth + 1
    assert depth <= 11


@pytest.mark.parametrize("text", ["a b", "(a", "a.", "f(a,)", "'a", "1 +", "#", "", "(" * 99])
def test_what_is_not_an_expression(text: str) -> None:
    with pytest.raises(Unparsable):
        parse(text)
