"""The fields that a part of an expression may mean, and their descriptions."""

from __future__ import annotations

import pytest

from celvet import schemas
from celvet.lint.cel.syntax.parser import parse
from celvet.lint.cel.syntax.tree import Call, Node, Select, walk
from celvet.lint.lsp.features.fields import KnownFields, Steps, steps

_DIALECTS = schemas.load().dialects


def _marked(expression: str) -> tuple[Node, Node]:
    """The tree, and what `.X` is selected from in it."""
    root = parse(expression)
    found = (each for each in walk(root) if isinstance(each, Select) and each.field == "X")
    return root, next(found).operand


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("status.X", ("status",)),
        (".status.X", ("status",)),
        ("status.a.b.X == 1", ("status", "a", "b")),
        ("status.?a.X", ("status", "a")),
        ("status['a'].X", ("status", "a")),
        ("status[?'a'].X", ("status", "a")),
        ("status.list[0].X", ("status", "list", None)),
        ("status.list[size(status.list) - 1].X", ("status", "list", None)),
        ("status.list.exists(e, e.X)", ("status", "list", None)),
        ("status.list.exists(e, e.X == status.list.size())", ("status", "list", None)),
        ("status.a.all(e, e.b.exists(f, f.c.X))", ("status", "a", None, "b", None, "c")),
        ("status.a.all(e, e.b.exists(e, e.X))", ("status", "a", None, "b", None)),
        ("status.list.filter(e, e.a)[0].X", ("status", "list", None)),
        ("status.list.first().X", ("status", "list", None)),
        ("status.?a.orValue({}).X", ("status", "a")),
        ("status.?a.optMap(v, v.X)", ("status", "a")),
        ("size(status).X", None),
        ("{'a': 1}.X", None),
        ("'text'.X", None),
        ("status.list.map(e, e.a)[0].X", None),
    ],
)
def test_steps(expression: str, wanted: Steps | None) -> None:
    root, node = _marked(expression)
    assert steps(node, root, _DIALECTS["flux-health"]) == wanted


@pytest.mark.parametrize(
    ("expression", "wanted"), [("dep.X", ()), ("self.status.X", ("status",)), ("status.X", None)]
)
def test_steps_behind_a_variable(expression: str, wanted: Steps | None) -> None:
    root, node = _marked(expression)
    assert steps(node, root, _DIALECTS["flux-ready"]) == wanted


def test_what_objects_usually_have() -> None:
    known = KnownFields.of(None, [], {})
    assert {"apiVersion", "kind", "metadata", "spec", "status"} == known.names(()).keys()
    assert "generation" in known.names(("metadata",))
    statuses = known.values(("status", "conditions", None, "status"))
    assert list(statuses) == ["True", "False", "Unknown"]
    assert known.names(("status", "conditions", None, "type", "x")) == {}


def test_objects_at_hand() -> None:
    objects = [{"status": {"list": [{"a": 1}, {"b": "x"}, None], "none": None}}, 1]
    known = KnownFields.of(None, objects, {("status", "phase"): ["Up", "Up"]})
    assert {"list", "none", "conditions"} <= known.names(("status",)).keys()
    found = known.names(("status", "list", None))
    assert {name: node.type for name, node in found.items()} == {"a": "integer", "b": "string"}
    assert known.values(("status", "phase")) == {"Up": ""}


def test_an_object_that_is_nested_without_end() -> None:
    deep: dict[str, object] = {}
    for _ in range(500):
        deep = {"a": deep}
    assert "a" in KnownFields.of(None, [deep], {}).names(("a", "a"))


def test_a_call_has_no_fields_of_its_own() -> None:
    root = parse("a.b(c.X)")
    assert isinstance(root, Call)
    assert steps(root, root, _DIALECTS["flux-health"]) is None
