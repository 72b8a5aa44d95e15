"""JSONPaths of Cartographer and rukpak, against a schema."""

from __future__ import annotations

import pytest

from celvet import schemas
from celvet.lint.crds import Structural
from celvet.lint.jsonpath import compile_path
from celvet.lint.typecheck import in_path

_TEXT = {"type": "string"}
_CONDITION = {"type": "object", "properties": {"type": _TEXT, "status": _TEXT}}
_STATUS = {
    "type": "object",
    "properties": {
        "phase": _TEXT,
        "conditions": {"type": "array", "items": _CONDITION},
        "urls": {"type": "object", "additionalProperties": _TEXT},
    },
}
_OLD = Structural({"type": "object", "properties": {"status": _STATUS}}, is_object=True)
_NEW = Structural({"type": "object", "properties": {"status": {"type": "object"}}}, is_object=True)


def _messages(text: str, *versions: Structural) -> list[str]:
    path = compile_path(text, schemas.load().dialects["cartographer"])
    found = in_path(path.fields(), "App", versions or (_OLD,))
    return [f"[{text[slice(*each.span)]}] {each.message}: {each.help}" for each in found]


@pytest.mark.parametrize(
    "text",
    [
        "status.phase",
        ".metadata.name",
        '.status.conditions[?(@.type=="Ready")].status',
        ".status.conditions[*].status",
        ".status.conditions[0].type",
        ".status.urls.main",
        ".status['phase','urls']",
        "..anything",
        ".status.phase.not.described",
        ".status.*.x",
    ],
)
def test_what_agrees(text: str) -> None:
    assert _messages(text) == []


def test_a_missing_field_is_reported_once_and_what_is_below_it_not() -> None:
    message = "[conditons] `status.conditons` is not a field of `App`: it is never there"
    assert _messages(".status.conditons.x.y") == [f"{message}: Write `conditions`."]


def test_in_a_filter_and_after_it() -> None:
    found = _messages('.status.conditions[?(@.tpye=="Ready")].state')
    assert [line.partition(":")[0] for line in found] == [
        "[tpye] `status.conditions[].tpye` is not a field of `App`",
        "[state] `status.conditions[].state` is not a field of `App`",
    ]


def test_every_version_has_to_agree() -> None:
    assert _messages(".status.phase", _NEW) != []
    assert _messages(".status.phase", _NEW, _OLD) == []
    assert _messages(".status.phase") == []
