"""Where a value may contain an object of a kind."""

from __future__ import annotations

from typing import Any

import pytest

from celvet.lint.manifest.objects.held import holds_object
from celvet.lint.model import GroupKind

_OBJECT = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}}


@pytest.mark.parametrize(
    ("value", "held"),
    [
        ({"spec": {"resources": [_OBJECT]}}, True),
        ({"spec": {"resources": [{**_OBJECT, "kind": "Other"}]}}, False),
        ({"spec": {"ref": {"apiVersion": "example.com/v1", "kind": "Widget"}}}, False),
        ({"data": {"a.yaml": "apiVersion: example.com/v1\nkind: Widget\n"}}, True),
        ({"data": {"a.yaml": "apiVersion: example.com/v1\nkind: Other\n"}}, False),
        ({"data": {"a.yaml": "apiVersion: example.org/v1\nkind: Widget\n"}}, False),
        ({"data": {"a": "a Widget of example.com/v1"}}, False),
    ],
)
def test_an_object_is_held_as_a_mapping_or_as_a_text(value: Any, held: bool) -> None:
    assert holds_object(value, {GroupKind("example.com", "Widget")}) is held
