"""A user's own kind, from data only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.cel import compile_expression
from celvet.lint.engine import Settings, lint_text
from celvet.lint.validation import validate
from celvet.schemas import load
from celvet.schemas.library import library_names
from tests.schemas.directories import write

WIDGET = {
    "KIND": "Widget",
    "x-plural": "widgets",
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "x-fields": "near",
            "properties": {
                "readiness": {
                    "type": "array",
                    "items": {"$ref": "../shared/acme.json#/$defs/check"},
                },
                "either": {
                    "oneOf": [
                        {"required": ["cel"], "properties": {"cel": {"$ref": "#/$defs/text"}}},
                        {"required": ["path"], "properties": {"path": {"$ref": "#/$defs/path"}}},
                    ]
                },
            },
        }
    },
    "$defs": {
        "text": {"type": "string", "x-expression": {"dialect": "flux-health", "role": "current"}},
        "path": {"type": "string", "x-expression": {"dialect": "acme-path", "role": "path"}},
    },
}
CHECK = {
    "type": "object",
    "required": ["when"],
    "x-fields": "all",
    "properties": {
        "when": {"type": "string", "x-expression": {"dialect": "flux-health", "role": "current"}}
    },
}
FILES = {
    "acme/Widget.json": WIDGET,
    "shared/acme.json": {"$defs": {"check": CHECK}},
    "dialects/acme-path.json": {"language": "jsonpath", "description": "a", "wrap": "relaxed"},
}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return write(tmp_path, FILES)


def found(directory: Path, spec: Any) -> Any:
    catalog = load([directory])
    kind = catalog.find("acme.example/v1", "Widget")
    assert kind is not None
    return validate({"spec": spec}, kind, catalog)


def test_its_expressions_are_found(directory: Path) -> None:
    sites = found(directory, {"readiness": [{"when": "a"}, {"when": "b"}]}).sites
    assert [(site.path, site.text, site.role) for site in sites] == [
        (("spec", "readiness", 0, "when"), "a", "current"),
        (("spec", "readiness", 1, "when"), "b", "current"),
    ]
    assert sites[0].dialect is load().dialects["flux-health"]


def test_its_structure_is_judged(directory: Path) -> None:
    validation = found(directory, {"readiness": [{"whn": "a"}], "readyness": []})
    assert [violation.message for violation in validation.violations] == [
        "`when` is missing; the API server refuses the object"
    ]
    assert [key.suggestion for key in validation.unknown_fields] == ["when", "readiness"]


def test_sites_are_found_in_every_alternative_once(directory: Path) -> None:
    validation = found(directory, {"either": {"cel": "a", "path": ".b"}})
    assert [(site.text, site.dialect.name) for site in validation.sites] == [
        ("a", "flux-health"),
        (".b", "acme-path"),
    ]
    (violation,) = validation.violations
    assert violation.message.startswith("`either` has `cel` and `path` together;")


def test_an_alternative_that_holds_is_not_a_violation(directory: Path) -> None:
    validation = found(directory, {"either": {"cel": "a"}})
    assert [site.text for site in validation.sites] == ["a"]
    assert not validation.violations


def test_the_catalogue_has_it_beside_the_built_in_ones(directory: Path) -> None:
    catalog = load([directory])
    assert len(catalog.kinds) == len(load().kinds) + 1
    assert {"acme.example", "readiness"} <= set(catalog.words)


def test_a_kind_takes_the_place_of_a_built_in_one(tmp_path: Path) -> None:
    names = {"group": "helm.toolkit.fluxcd.io", "version": "v2", "kind": "HelmRelease"}
    schema = {"x-kubernetes-group-version-kind": [names], "title": "ours"}
    catalog = load([write(tmp_path, {"mine/HelmRelease.json": schema})])
    newest = catalog.find("helm.toolkit.fluxcd.io/v2", "HelmRelease")
    older = catalog.find("helm.toolkit.fluxcd.io/v2beta2", "HelmRelease")
    assert newest is not None
    assert newest.system == "mine"
    assert older is load().find("helm.toolkit.fluxcd.io/v2beta2", "HelmRelease")


def test_a_later_directory_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    first_directory = write(tmp_path / "one", {"a/Widget.json": {"KIND": "Widget"}})
    second_directory = write(tmp_path / "two", {"b/Widget.json": {"KIND": "Widget"}})
    for order, system in (
        ((first_directory, second_directory), "b"),
        ((second_directory, first_directory), "a"),
    ):
        kind = load(order).find("acme.example/v1", "Widget")
        assert kind is not None
        assert kind.system == system


def test_a_kind_of_two_groups_is_not_found_by_its_name(tmp_path: Path) -> None:
    catalog = load([write(tmp_path, {"acme/HelmRelease.json": {"KIND": "HelmRelease"}})])
    assert catalog.find("", "HelmRelease") is None


def test_a_field_that_no_search_of_bytes_finds_leaves_the_kind(tmp_path: Path) -> None:
    mark = {"x-expression": {"dialect": "flux-health", "role": "current"}}
    schema = {"KIND": "Gadget", "properties": {"averylong spacedname": mark}}
    catalog = load([write(tmp_path, {"acme/Gadget.json": schema})])
    assert "Gadget" in catalog.words
    text = "apiVersion: acme.example/v1\nkind: Gadget\naverylong spacedname: a b\n"
    findings = lint_text(text, settings=Settings(schemas=(tmp_path,))).findings
    assert "cel-syntax" in {finding.rule for finding in findings}


def test_every_library_can_be_named(tmp_path: Path) -> None:
    dialect = {"language": "cel", "description": "a", "libraries": [*library_names()]}
    new_dialect = load([write(tmp_path, {"dialects/all.json": dialect})]).dialects["all"]
    assert compile_expression("'a'.lowerAscii() == b", new_dialect).refusals == ()


@pytest.mark.parametrize(
    "kind", ["bool", "list", "list(string)", "map", "google.protobuf.Struct", "timestamp"]
)
def test_types_of_variables(tmp_path: Path, kind: str) -> None:
    dialect = {"language": "cel", "description": "a", "checked": True, "variables": {"v": kind}}
    new_dialect = load([write(tmp_path, {"dialects/own.json": dialect})]).dialects["own"]
    assert compile_expression("v == v", new_dialect).refusals == ()
