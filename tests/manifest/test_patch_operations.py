"""The object that a JSON patch writes."""

from __future__ import annotations

from typing import Any

import pytest

from celvet.lint.manifest.objects.patch_operations import assemble


def _add(path: str, value: Any, op: str = "add") -> dict[str, Any]:
    return {"op": op, "path": path, "value": value}


@pytest.mark.parametrize(
    ("operations", "value", "written"),
    [
        ([_add("/a/b", 1)], {"a": {"b": 1}}, [("a", "b")]),
        ([_add("/a~1b/c~0d", 1)], {"a/b": {"c~d": 1}}, [("a/b", "c~d")]),
        ([_add("", {"a": 1}, "replace")], {"a": 1}, [()]),
        ([_add("/a/-", 1), _add("/a/-", 2)], {"a": [1, 2]}, [("a", 0), ("a", 1)]),
        (
            [_add("/a/7/x", 1), _add("/a/7/k", 2)],
            {"a": [{"x": 1, "k": 2}]},
            [("a", 0, "x"), ("a", 0, "k")],
        ),
        ([_add("/a", {"b": 1}), _add("/a/c", 2)], {"a": {"b": 1, "c": 2}}, [("a",), ("a", "c")]),
        ([_add("/a", 1), _add("/a", 2, "replace")], {"a": 2}, [("a",), ("a",)]),
        ([_add("/a", "text"), _add("/a/b", 1)], {"a": "text"}, [("a",)]),
        ([_add("/a", {}), _add("/a/-", 1), _add("/a/-", 2)], {"a": {}}, [("a",)]),
        (
            [_add("/a", ["x", "y"]), _add("/a/1", "z"), _add("/a/-", "w")],
            {"a": ["x", "z", "w"]},
            [("a",), ("a", 1), ("a", 2)],
        ),
        ([_add("/", 1)], {"": 1}, [("",)]),
    ],
)
def test_assemble(operations: list[Any], value: Any, written: list[Any]) -> None:
    assert assemble(operations) == (value, [(path, at) for at, path in enumerate(written)])


@pytest.mark.parametrize(
    "operation",
    [_add("a", 1), _add("/a", 1, "test"), {"op": "add", "path": "/b"}, "x", _add("/x" * 500, 1)],
)
def test_what_writes_nothing(operation: Any) -> None:
    assert assemble([operation]) == (None, [])


def test_the_values_of_the_patch_are_not_changed() -> None:
    inner = {"b": [1]}
    value, _ = assemble([_add("/a", inner), _add("/a/b/-", 2), _add("/a/c", 3)])
    assert value == {"a": {"b": [1, 2], "c": 3}}
    assert inner == {"b": [1]}
