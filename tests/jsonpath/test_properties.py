"""Properties of any text and of any path."""

from __future__ import annotations

import dataclasses
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from celvet.lint.jsonpath import EvaluationError, JSONPathError, compile_path, parse
from celvet.lint.jsonpath.hints.analysis import descend
from celvet.lint.jsonpath.parse.nodes import (
    ArrayNode,
    BoolNode,
    FieldNode,
    FloatNode,
    IdentifierNode,
    IntNode,
    ListNode,
    TextNode,
)
from celvet.lint.jsonpath.parse.parser import unquote
from tests.jsonpath.dialects import DIALECTS
from tests.jsonpath.shape import shape
from tests.properties import examples

_PIECES = [
    *"{}[]()'\"\\.*@$,:-+01?&|=<é😀٣ \n\t",
    *("..", "2.5", "==", "!=", ">=", "[?(", ")]", "[*]", "['a']", "[0,1]", ".a", ".b"),
    *("range", "end", "true", "Ready", "\\'", '\\"'),
]
_SOUP = st.lists(st.sampled_from(_PIECES) | st.characters(), max_size=25).map("".join)
_TEXTS = _SOUP | _SOUP.map(lambda text: "{" + text + "}") | st.text()

_KEYS = st.sampled_from(["a", "b", "é", "a\\.b", "k-v", ""])
_LITERALS = st.sampled_from(
    ["1", "-2", "2.5", "true", "'x'", '"\\xff"', '"é"', "@.a", "Ready", ".b[0]"]
)
_INDICES = st.sampled_from(["0", "-1", "*", "1:", ":2", "::2", "-2:", "", "9"])
_FILTERS = st.builds(
    "[?(@.{}{}{})]".format,
    _KEYS,
    st.sampled_from(["==", "!=", "<", ">", "<=", ">=", "="]),
    _LITERALS,
)
_STEPS = st.one_of(
    _KEYS.map(".{}".format),
    _KEYS.map("['{}']".format),
    _INDICES.map("[{}]".format),
    st.lists(_INDICES, min_size=2, max_size=3).map(lambda parts: f"[{','.join(parts)}]"),
    _FILTERS,
    st.sampled_from([".*", "..a", "..", " ", "@", "$", "'t'", '"\\xff"', "1"]),
)
_GROUPS = st.lists(_STEPS, max_size=5).map(lambda steps: "{" + "".join(steps) + "}")
_PATHS = st.lists(
    _GROUPS | st.sampled_from(["text", "{range .a[*]}", "{end}", "\n"]), max_size=4
).map("".join)

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "é", "a.b", ""]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(_TEXTS)
@example("{['a'")
@example("{[?(@.a=='\\')]}")
@examples(400)
def test_parsing_only_ever_raises_its_own_error(text: str) -> None:
    error = None
    try:
        parse(text)
    except JSONPathError as caught:
        error = caught
    if error:
        assert 0 <= error.span.start <= error.span.end <= len(text)
        assert error.wording


@given(_TEXTS | _PATHS, st.sampled_from(sorted(DIALECTS)), _VALUES)
@examples(400)
def test_compiling_and_reading_never_raise(text: str, style: str, value: Any) -> None:
    compiled = compile_path(text, DIALECTS[style])
    assert (compiled.template is None) == (compiled.refusal is not None)
    assert compiled.read(value).state in ("value", "absent", "error")
    spans = [compiled.refusal.span] if compiled.refusal else []
    spans += [each.span for each in compiled.misreadings()]
    spans += [field.span for field in compiled.fields()]
    for span in spans:
        assert 0 <= span.start <= span.end <= len(text)


@given(_PATHS, _VALUES, st.booleans())
@examples(400)
def test_evaluating_only_ever_raises_its_own_error(path: str, value: Any, missing: bool) -> None:
    try:
        template = parse(path)
        said = template.text(value, missing)
        template.find(value, missing)
    except (JSONPathError, EvaluationError) as error:
        said = str(error)
    assert said.encode() or not said


@given(_PATHS, _VALUES)
@examples(300)
def test_allowing_missing_keys_only_adds_answers(path: str, value: Any) -> None:
    try:
        strict = parse(path).find(value)
    except (JSONPathError, EvaluationError):
        return
    assert repr(parse(path).find(value, allow_missing=True)) == repr(strict)


@given(_PATHS)
@examples(400)
def test_spans_slice_to_the_text_of_their_nodes(path: str) -> None:
    try:
        template = parse(path)
    except JSONPathError:
        return
    for group in template.groups:
        text = path[slice(*group.span)]
        assert text == group.text if isinstance(group, TextNode) else text[0] + text[-1] == "{}"
        for node in descend(group.nodes) if isinstance(group, ListNode) else ():
            _check(path[slice(*node.span)], node)


def _check(text: str, node: Any) -> None:
    if isinstance(node, FieldNode):
        assert text.replace("\\", "") == node.name
    elif isinstance(node, TextNode):
        assert unquote(text) == node.text
    elif isinstance(node, IdentifierNode):
        assert text == node.name
    elif isinstance(node, (IntNode, FloatNode, BoolNode)):
        assert float(text.replace("true", "1")) == node.value
    elif isinstance(node, ArrayNode):
        assert str(node.start or "") in text


@given(_PATHS)
@examples(300)
def test_a_path_put_together_again_is_the_same_path(path: str) -> None:
    try:
        template = parse(path)
    except JSONPathError:
        return
    again = parse("".join(path[slice(*group.span)] for group in template.groups))
    assert again == template
    assert [shape(group) for group in again.groups] == [shape(group) for group in template.groups]


@given(_GROUPS)
def test_dollar_at_and_spaces_mean_nothing_between_steps(group: str) -> None:
    try:
        plain = parse(group)
    except JSONPathError:
        return
    padded = parse("{ @$ " + group[1:-1] + " @ }")
    assert [shape(node) for node in padded.groups] == [shape(node) for node in plain.groups]


def test_nodes_are_frozen() -> None:
    node = parse("{.a}").groups[0]
    assert dataclasses.is_dataclass(node)
    assert hash(node) == hash(parse("{.a}").groups[0])
