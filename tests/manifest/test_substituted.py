"""Substitution in documents: new values, unresolved texts, objects that opted out, places."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from celvet.lint.locate import Locator
from celvet.lint.manifest import objects_in, read
from celvet.lint.model import Span, Where
from tests.tables import read_table

_TABLE = read_table(Path(__file__).with_name("data") / "rewritten.yaml")


@pytest.mark.parametrize("case", _TABLE["cases"], ids=lambda case: case["source"])
def test_flux_says_so(case: dict[str, str]) -> None:
    text = f"spec:\n  field: {case['source']}\n"
    value = read(text, substitutions=_TABLE["variables"]).documents[0].value["spec"]["field"]
    expected = json.loads(case["json"], strict=False)
    assert (type(value), value) == (type(expected), expected)


def test_defaults_count_without_variables() -> None:
    assert read("wait: ${WAIT:=true}\n").documents[0].value == {"wait": True}


def test_a_text_that_waits_stays_as_it_is() -> None:
    document = read("a: x\nb: [{c: '${X:=1} ${Y}'}]\n").documents[0]
    assert document.value["b"][0]["c"] == "${X:=1} ${Y}"
    assert document.unresolved == {("b", 0, "c"): ("Y",)}


def test_a_text_that_flux_refuses_is_left_to_the_rules() -> None:
    document = read("a: ${X-1}\n").documents[0]
    assert document.value == {"a": "${X-1}"}
    assert document.unresolved == {}


@pytest.mark.parametrize("batch", [False, True])
def test_what_others_than_flux_replace_has_no_value(batch: bool) -> None:
    """A skeleton of Backstage has `${{ }}`, and so has a workflow."""
    text = "a: ${{ values.suspend }}\nb: ['x-${{ matrix.os }}']\n"
    document = read(text.encode() if batch else text).documents[0]
    assert document.unresolved == {("a",): (" values.suspend ",), ("b", 0): (" matrix.os ",)}


def test_keys_are_substituted() -> None:
    document = read("${K:=a}: 1\n").documents[0]
    assert document.value == {"a": 1}
    assert document.node_at(("a",)) is not None


@pytest.mark.parametrize("place", ["labels", "annotations"])
def test_an_object_that_opted_out(place: str) -> None:
    text = (
        f"kind: A\nmetadata:\n  {place}:\n"
        "    kustomize.toolkit.fluxcd.io/substitute: disabled\nspec: ${X:=1}\n"
        "---\nkind: B\nspec: ${X:=1}\n"
    )
    first, second = read(text).documents
    assert (first.value["spec"], second.value["spec"]) == ("${X:=1}", 1)
    assert first.unresolved == {}


def test_an_item_of_a_list_that_opted_out() -> None:
    out = "metadata: {labels: {kustomize.toolkit.fluxcd.io/substitute: disabled}}"
    item = "x: '${X:=1}'"
    text = f"kind: List\nitems:\n- {{{item}}}\n- {{{item}, {out}}}\n- {{{item}}}\n"
    items = read(text).documents[0].value["items"]
    assert [item["x"] for item in items] == [1, "${X:=1}", 1]


def test_the_mark_elsewhere_switches_nothing_off() -> None:
    text = "data: {kustomize.toolkit.fluxcd.io/substitute: disabled}\nx: ${X:=1}\n"
    assert read(text).documents[0].value["x"] == 1


def test_places_in_a_substituted_text() -> None:
    text = 'a:\n  current: "status.${F} == \\"${V:=yes}\\""\n'
    manifest = read(text, substitutions={"F": "phase"})
    node = manifest.documents[0].node_at(("a", "current"))
    assert node is not None
    assert node.text == 'status.phase == "yes"'
    locator = Locator(manifest)

    def found(start: int, end: int) -> str:
        return text[slice(*locator.offsets(Where(1, ("a", "current"), Span(start, end))))]

    assert found(0, 6) == "status"
    assert found(7, 12) == "${F}"
    assert found(17, 20) == "yes"
    assert found(16, 21) == '\\"${V:=yes}\\"'
    assert locator.source_span(Where(1, ("a", "current"), Span(7, 12))) is None
    assert locator.source_span(Where(1, ("a", "current"), Span(17, 20))) is not None


def test_a_collection_that_a_variable_gave_is_where_the_variable_is() -> None:
    manifest = read("spec:\n  list: ${L:=[a, b]}\n")
    assert manifest.documents[0].value["spec"]["list"] == ["a", "b"]
    place = Locator(manifest).place(Where(1, ("spec", "list", 1)))
    assert (place.line, place.column, place.end_column) == (2, 3, 7)


def test_patches_are_substituted_scalar_by_scalar() -> None:
    text = (
        "patches:\n- patch: |\n    kind: K\n    a: ${A:=1}\n    b: ${B}\n"
        "- patch: |\n    kind: K\n    c: $${C} ${D:=2}\n"
    )
    first, second = (made for made in objects_in(read(text).documents[0]) if made.partial)
    assert first.value == {"kind": "K", "a": 1, "b": "${B}"}
    assert first.unresolved == {("b",): ("B",)}
    assert second.value["c"] == "${C} 2"
    assert second.unresolved == {}
