"""CRDs of both API versions, read as values."""

from __future__ import annotations

import json
from typing import Any

import pytest

from celvet.lint.crds import (
    NOTHING,
    KnownSchemas,
    LayeredSchemas,
    by_kind,
    of_definition,
    of_document,
)
from celvet.lint.crds.schema import may_define, may_name_kind
from celvet.lint.model import GroupKind
from tests.crds.definitions import definition, fields

_DATABASE = GroupKind("example.com", "Database")
_PHASE = fields(status=fields(phase={"type": "string", "enum": ["Ready", "Failed"]}))


def test_a_definition() -> None:
    schema = of_definition(definition(_PHASE))
    assert schema is not None
    assert schema.group_kind == _DATABASE
    assert [name for name, _ in schema.versions] == ["v1"]
    assert schema.values("status", "phase") == ("Ready", "Failed")
    assert schema.at("status", "nothing") == ()
    assert schema.values("status", "nothing") is None


def test_paths_lead_through_lists() -> None:
    condition = fields(type={"type": "string"})
    status = fields(conditions={"type": "array", "items": condition})
    schema = of_definition(definition(fields(status=status)))
    assert schema is not None
    assert [node.type for node in schema.at("status", "conditions", None, "type")] == ["string"]
    assert schema.at("status", "conditions", None, "kind") == ()


def test_versions_that_are_served_count_and_each_for_itself() -> None:
    crd = definition(_PHASE)
    other = {"name": "v2", "served": True, "schema": {"openAPIV3Schema": fields(status=fields())}}
    unserved = {"name": "v3", "served": False, "schema": {"openAPIV3Schema": fields(x={})}}
    crd["spec"]["versions"] += [other, unserved]
    schema = of_definition(crd)
    assert schema is not None
    assert [name for name, _ in schema.versions] == ["v1", "v2"]
    assert len(schema.at("status")) == 2
    assert len(schema.at("status", "phase")) == 1
    assert schema.at("x") == ()


def test_values_of_several_versions_add_up_and_any_text_wins() -> None:
    crd = definition(_PHASE)
    for enum in (["Ready", "Gone"], None):
        phase = {"type": "string", "enum": enum}
        root = {"openAPIV3Schema": fields(status=fields(phase=phase))}
        crd["spec"]["versions"].append({"name": "v9", "served": True, "schema": root})
        schema = of_definition(crd)
        assert schema is not None
        expected = ("Ready", "Failed", "Gone") if enum else None
        assert schema.values("status", "phase") == expected


def test_a_version_without_a_schema_keeps_everything() -> None:
    crd = definition()
    crd["spec"]["versions"][0].pop("schema")
    schema = of_definition(crd)
    assert schema is not None
    assert len(schema.at("anything", "at", "all")) == 1


@pytest.mark.parametrize(("preserve", "kept"), [(None, True), (True, True), (False, False)])
def test_v1beta1_shares_a_schema_and_keeps_what_it_does_not_name(
    preserve: bool | None, kept: bool
) -> None:
    spec: dict[str, Any] = {
        "group": "example.com",
        "version": "v1alpha1",
        "names": {"kind": "Database"},
        "validation": {"openAPIV3Schema": _PHASE},
    }
    if preserve is not None:
        spec["preserveUnknownFields"] = preserve
    crd = {"apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "CustomResourceDefinition"}
    schema = of_definition({**crd, "spec": spec})
    assert schema is not None
    assert [name for name, _ in schema.versions] == ["v1alpha1"]
    assert schema.values("status", "phase") == ("Ready", "Failed")
    assert bool(schema.at("status", "other")) is kept


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {"kind": "CustomResourceDefinition"},
        {**definition(), "apiVersion": "apiextensions.crossplane.io/v1"},
        {**definition(), "spec": None},
        {**definition(), "spec": {"group": 1, "names": {"kind": "A"}}},
        {**definition(), "spec": {"group": "a", "names": {"kind": "A"}, "versions": []}},
        {**definition(), "spec": {"group": "a", "names": {"kind": "A"}, "versions": [3]}},
    ],
)
def test_what_is_not_a_definition(value: Any) -> None:
    assert of_definition(value) is None


def test_several_definitions_of_a_kind() -> None:
    one, two = of_definition(definition(_PHASE)), of_definition(definition(fields(x={})))
    assert one is not None
    assert two is not None
    found = by_kind([one, two, one, one])
    assert list(found) == [_DATABASE]
    assert found[_DATABASE].versions == (*one.versions, *two.versions)


def test_of_too_many_versions_nothing_is_known() -> None:
    crd = definition()
    (version,) = crd["spec"]["versions"]
    crd["spec"]["versions"] = [{**version, "name": f"v{number}"} for number in range(5_000)]
    schema = of_definition(crd)
    assert schema is not None
    assert len(schema.versions) == 1
    assert len(schema.at("nothing", "at", "all")) == 1


def test_stores() -> None:
    one = of_document("example.com/v1", "Database", _PHASE)
    two = of_document("example.com/v1", "Other", fields())
    store = LayeredSchemas(
        (
            KnownSchemas({_DATABASE: one}),
            KnownSchemas({_DATABASE: two, two.group_kind: two}),
            NOTHING,
        )
    )
    assert store.find("example.com/v7", "Database") is one
    assert store.find("example.com/v1", "Other") is two
    assert store.find("example.org/v1", "Other") is None
    assert store.problems == ()


def test_a_file_that_refers_to_a_definition_names_no_kind() -> None:
    checked = b"healthChecks: [{kind: CustomResourceDefinition, name: a, namespace: b}]"
    assert may_define(checked)
    assert not may_name_kind(checked)
    assert may_name_kind(json.dumps(definition(_PHASE)).encode())
