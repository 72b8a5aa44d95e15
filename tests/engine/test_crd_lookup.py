"""Which CRDs apply to a file, and which of its kinds have none."""

from __future__ import annotations

from typing import Any

import yaml

from celvet.lint.crds import KnownSchemas, by_kind, of_definition
from celvet.lint.engine import Settings, lint_object, lint_text
from celvet.lint.model import Severity
from tests.crds.definitions import definition, fields

_ENTRY = {"apiVersion": "example.com/v3", "kind": "Database", "current": "status.fase == 'x'"}
_OBJECT = {
    "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
    "kind": "Kustomization",
    "metadata": {"name": "data"},
    "spec": {"wait": True, "healthCheckExprs": [_ENTRY]},
}
_WITH_FASE = definition(fields(status=fields(fase={"type": "string"})))


def _store(value: dict[str, Any]) -> KnownSchemas:
    schema = of_definition(value)
    assert schema is not None
    return KnownSchemas(by_kind([schema]))


def _crd_rules(value: Any, settings: Settings) -> set[str]:
    """The rules that report something, the same for a text and, if it is one, an object."""
    documents = value if isinstance(value, list) else [value]
    result = lint_text(yaml.safe_dump_all(documents), settings=settings)
    assert not result.crashes
    return {each.rule for each in result.findings if each.rule.startswith("crd-")}


def test_a_store_of_any_kind_can_be_given() -> None:
    settings = Settings(crds=_store(definition()))
    assert _crd_rules(_OBJECT, settings) == {"crd-field"}
    found = [each for each in lint_object(_OBJECT, settings).findings if each.rule == "crd-field"]
    assert [each.severity for each in found] == [Severity.WARNING]


def test_the_file_itself_goes_first() -> None:
    settings = Settings(crds=_store(definition()))
    assert _crd_rules([_OBJECT, _WITH_FASE], settings) == set()
    assert _crd_rules([_WITH_FASE, _OBJECT], Settings(crds=_store(_WITH_FASE))) == set()
    assert _crd_rules([definition(), _OBJECT], Settings(crds=_store(_WITH_FASE))) == {"crd-field"}


def test_two_definitions_in_a_file_both_count() -> None:
    assert _crd_rules([definition(), _WITH_FASE, _OBJECT], Settings()) == set()


def test_a_template_in_a_resource_set_defines_nothing() -> None:
    crd = definition()
    crd["metadata"]["name"] = "<< inputs.name >>"
    spec = {"resources": [crd]}
    api_version = "fluxcd.controlplane.io/v1"
    owner = {"apiVersion": api_version, "kind": "ResourceSet", "metadata": {"name": "x"}}
    assert _crd_rules([{**owner, "spec": spec}, _OBJECT], Settings()) == set()
    plain = {**owner, "spec": {"resources": [definition()]}}
    assert _crd_rules([plain, _OBJECT], Settings()) == {"crd-field"}


def test_what_is_not_known_is_named() -> None:
    assert lint_object(_OBJECT).unknown_kinds == {("example.com/v3", "Database")}
    assert not lint_object(_OBJECT, Settings(crds=_store(definition()))).unknown_kinds
    without = {**_OBJECT, "spec": {"healthCheckExprs": [{**_ENTRY, "kind": ["Database"]}]}}
    assert not lint_object(without).crashes
