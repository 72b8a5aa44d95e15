"""Flux accepts an entry derived from any object or CRD, and the entry lists what is not known."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from celvet import schemas
from celvet.lint.crds import KnownSchemas, of_definition
from celvet.lint.engine import Settings, lint_text
from celvet.lint.model import GroupKind, Severity
from celvet.lint.safe_text import yaml_text
from celvet.lint.suggest.health_test import health_test
from celvet.lint.suggest.kind_names import UnknownKindError, parse_kind
from celvet.lint.suggest.output import FORMATS
from celvet.lint.suggest.suggest import Suggester
from celvet.lint.suggest.suggestion import Suggestions
from tests import libyaml
from tests.properties import examples

CATALOG = schemas.load()
WIDGET = GroupKind("acme.example", "Widget")

_words = st.sampled_from(
    ["Ready", "Stalled", "Reconciling", "Synced", "it's", 'a"b', "\\", "\n", "Failed", "ready", ""]
)
_texts = st.one_of(_words, st.text(max_size=5))
_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), _texts),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_texts, inner, max_size=2),
    max_leaves=4,
)
_condition = st.fixed_dictionaries(
    {"type": _texts, "status": _values}, optional={"observedGeneration": _values}
)
_conditions = st.lists(st.one_of(_values, _condition), max_size=4)
_statuses = st.one_of(
    _values,
    st.fixed_dictionaries(
        {},
        optional={
            "conditions": st.one_of(_conditions, _values),
            "phase": st.one_of(_texts, _values),
            "state": _texts,
            "ready": _values,
            "observedGeneration": _values,
        },
    ),
)


@examples(200)
@given(st.lists(_statuses, max_size=3))
def test_what_objects_suggest_can_be_used(statuses: list[Any]) -> None:
    objects = [
        {"apiVersion": "acme.example/v1", "kind": "Widget", "status": each} for each in statuses
    ]
    _assert_usable(Suggester(CATALOG, KnownSchemas({})), objects)


_columns = st.one_of(
    _texts,
    _texts.map(lambda each: f".status.conditions[?(@.type=='{each}')].status"),
    _texts.map(lambda each: f".status.{each}"),
)
_LISTED = {"type": "array", "items": {"properties": {"type": {"type": "string"}}}}


@examples(200)
@given(st.lists(_texts, max_size=3), st.lists(_columns, max_size=3), st.booleans(), st.booleans())
def test_what_a_crd_suggests_can_be_used(
    phases: list[str], columns: list[str], conditions: bool, flag: bool
) -> None:
    phase = {"type": "string", **({"enum": phases} if phases else {})}
    status = {"phase": phase, **({"conditions": _LISTED} if conditions else {})}
    status |= {"ready": {"type": "boolean"}} if flag else {}
    root = {"type": "object", "properties": {"status": {"type": "object", "properties": status}}}
    version = {
        "name": "v1",
        "served": True,
        "additionalPrinterColumns": [{"name": "a", "jsonPath": each} for each in columns],
        "schema": {"openAPIV3Schema": root},
    }
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {"group": WIDGET.group, "names": {"kind": WIDGET.kind}, "versions": [version]},
    }
    schema = of_definition(definition)
    assert schema
    _assert_usable(Suggester(CATALOG, KnownSchemas({WIDGET: schema})), [])


@pytest.mark.parametrize(("count", "named"), [(1, "one object"), (2, "2 objects")])
def test_the_source_of_a_derived_entry_is_named(count: int, named: str) -> None:
    condition = {"type": "Ready", "status": "True"}
    widget = {
        "apiVersion": "acme.example/v1",
        "kind": "Widget",
        "status": {"conditions": [condition]},
    }
    found = Suggester(CATALOG, KnownSchemas({})).of(WIDGET, [widget] * count)
    assert f"derived from {named}\n" in FORMATS.renderer("yaml")(Suggestions([found]), False)


@pytest.mark.parametrize(
    ("status", "current"),
    [
        ({"conditions": [{"type": "Synced"}, {"type": "Paused"}]}, "c.type == 'Synced'"),
        ({"conditions": [{"type": "Approved"}]}, "c.type == 'Approved'"),
        ({"conditions": [{"type": "ValidationFailed"}]}, None),
        ({"conditions": [{"type": "NoMatchingNode"}]}, None),
        ({"conditions": [{"type": "Left"}, {"type": "Right"}]}, None),
        (
            {"conditions": [{"type": "Approved"}], "updateStatus": "operational"},
            "status.updateStatus == 'operational'",
        ),
        ({"PostgresClusterStatus": "Running"}, "status.PostgresClusterStatus == 'Running'"),
        ({"healthStatus": "green", "phase": ""}, "status.healthStatus == 'green'"),
        ({"éState": "Running"}, None),
    ],
)
def test_what_tells_readiness_of_an_object(status: dict[str, Any], current: str | None) -> None:
    widget = {"apiVersion": "acme.example/v1", "kind": "Widget", "status": status}
    suggester = Suggester(CATALOG, KnownSchemas({}))
    if current is None:
        with pytest.raises(UnknownKindError):
            suggester.of(WIDGET, [widget])
    else:
        assert current in suggester.of(WIDGET, [widget]).entry["current"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Widget.acme.example", WIDGET),
        ("Widget.acme-2.example", GroupKind("acme-2.example", "Widget")),
        ("widget.acme.example", None),
        ("Widget.Acme.example", None),
        ("Widget", None),
        ("Widget.", None),
        (".acme.example", None),
        ("Wid get.acme.example", None),
    ],
)
def test_a_kind_is_spelt_with_its_group(text: str, kind: GroupKind | None) -> None:
    assert parse_kind(text) == kind


def _assert_usable(suggester: Suggester, objects: list[Any]) -> None:
    try:
        found = suggester.of(WIDGET, objects)
    except UnknownKindError:
        reject()
    assert found.questions
    assert libyaml.load(FORMATS.renderer("yaml")(Suggestions([found]), False)) == [found.fields]
    assert FORMATS.renderer("json")(Suggestions([found]), False)
    text = yaml_text(health_test(found, CATALOG)[0])
    findings = lint_text(text.encode(), settings=Settings()).findings
    assert not [each for each in findings if each.severity is not Severity.INFO]
