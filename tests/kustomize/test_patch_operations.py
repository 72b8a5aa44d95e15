"""Operations on lists, which are rare in the recorded trees."""

from __future__ import annotations

from typing import Any

import pytest

from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.kustomize.patch_operations import apply_operation

_VALUE = {"a": [1, 2, {"b": 3}]}


@pytest.mark.parametrize(
    ("operation", "after"),
    [
        ({"op": "add", "path": "/a/0", "value": 9}, [9, 1, 2, {"b": 3}]),
        ({"op": "add", "path": "/a/2", "value": 9}, [1, 2, 9, {"b": 3}]),
        ({"op": "add", "path": "/a/3", "value": 9}, [1, 2, {"b": 3}, 9]),
        ({"op": "add", "path": "/a/-", "value": 9}, [1, 2, {"b": 3}, 9]),
        ({"op": "add", "path": "/a/2/b", "value": 9}, [1, 2, {"b": 9}]),
        ({"op": "replace", "path": "/a/0", "value": 9}, [9, 2, {"b": 3}]),
        ({"op": "remove", "path": "/a/1"}, [1, {"b": 3}]),
        ({"op": "move", "from": "/a/0", "path": "/a/1"}, [2, 1, {"b": 3}]),
        ({"op": "copy", "from": "/a/2/b", "path": "/a/0"}, [3, 1, 2, {"b": 3}]),
    ],
    ids=str,
)
def test_an_element_of_a_list(operation: dict[str, Any], after: list[Any]) -> None:
    assert apply_operation(_VALUE, operation) == {"a": after}


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "add", "path": "/a/4", "value": 9},
        {"op": "add", "path": "/a/01", "value": 9},
        {"op": "replace", "path": "/a/3", "value": 9},
        {"op": "replace", "path": "/a/-", "value": 9},
        {"op": "remove", "path": "/a/3"},
        {"op": "add", "path": "/a/-/b", "value": 9},
    ],
    ids=str,
)
def test_an_element_that_is_not_there(operation: dict[str, Any]) -> None:
    with pytest.raises(KustomizeError):
        apply_operation(_VALUE, operation)
