from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from celvet.schemas import BUILT_IN, Kind, built_in, expression_sites, kind_files, load
from celvet.schemas.facts_reader.read import read_kind, whole
from celvet.schemas.kind import version_order
from celvet.schemas.reader import read_dialects, read_kinds
from celvet.schemas.sites import subschemas

CATALOG = load()


@pytest.mark.parametrize("kind", CATALOG.kinds, ids=str)
def test_a_kind_has_all_that_is_generated_from_it(kind: Kind) -> None:
    assert list(kind.versions) == sorted(kind.versions, key=version_order, reverse=True)
    assert kind.group
    for version in kind.versions:
        assert CATALOG.find(f"{kind.group}/{version}", kind.kind) is kind


@pytest.mark.parametrize("kind", CATALOG.kinds, ids=str)
def test_every_expression_is_typed(kind: Kind) -> None:
    for _, schema in subschemas(kind.schema):
        if "x-expression" in schema:
            assert schema["type"] == "string"
        for name in schema.get("x-mistaken", {}).values():
            assert name.get("meant", "") in {"", *schema["properties"]}


def test_every_help_is_a_sentence_and_every_clause_is_not() -> None:
    for kind in CATALOG.kinds:
        for _, schema in subschemas(kind.schema):
            wordings = [
                *schema.get("x-refusal", {}).values(),
                *schema.get("x-mistaken", {}).values(),
            ]
            for wording in wordings:
                assert re.fullmatch(r"[A-Z].*\.", wording.get("help", "Do."))
                for clause in (wording.get("fact", "a"), wording.get("then", "a")):
                    assert re.fullmatch(r"[^A-Z].*[^.]|a|Flux .*[^.]|Cartographer.*[^.]", clause)


def test_an_unknown_version_is_judged_by_the_newest_schema() -> None:
    newest = CATALOG.find("kustomize.toolkit.fluxcd.io/v1", "Kustomization")
    assert CATALOG.find("kustomize.toolkit.fluxcd.io/v7", "Kustomization") is newest


def test_a_patch_may_name_the_kind_alone() -> None:
    kind = CATALOG.find("carto.run/v1alpha1", "ClusterTemplate")
    assert CATALOG.find("", "ClusterTemplate") is kind is not None


@pytest.mark.parametrize(
    ("api_version", "kind"),
    [
        ("kustomize.config.k8s.io/v1beta1", "Kustomization"),
        ("v1", "Kustomization"),
        ("", ""),
        ("kustomize.toolkit.fluxcd.io/v1", "kustomization"),
        ("a/kustomize.toolkit.fluxcd.io/v1", "Kustomization"),
    ],
)
def test_what_is_not_ours(api_version: str, kind: str) -> None:
    assert CATALOG.find(api_version, kind) is None


def test_the_order_of_versions() -> None:
    versions = ["odd", "v1alpha1", "v1alpha2", "v1beta1", "v2beta1", "v2beta2", "v1", "v2", "v10"]
    assert sorted(set(versions), key=version_order) == versions


def test_a_word_is_in_every_manifest_and_on_the_way_to_every_site() -> None:
    for kind in CATALOG.kinds:
        assert kind.words
        for site in expression_sites(kind) if kind.plural else ():
            assert {kind.kind, *site.fields} & set(CATALOG.words), site.pattern
    assert not {"health", "path", "Kustomization"} & set(CATALOG.words)


def test_one_dialect_reads_an_expression_that_stands_alone() -> None:
    assert sum(dialect.bare for dialect in CATALOG.dialects.values()) == 1


def test_the_generated_module_is_what_the_files_say() -> None:
    dialects = read_dialects(BUILT_IN)
    assert repr(built_in.DIALECTS) == repr(dialects)
    assert repr(built_in.KINDS) == repr(read_kinds(BUILT_IN, dialects))


@pytest.mark.slow
def test_the_kinds_that_were_read_are_what_the_files_say() -> None:
    for file in kind_files.OURS.rglob("*.yaml"):
        assert read_kind(file) == whole(file, kind_files.parsed(file)), file


def test_the_built_in_catalogue_is_loaded_once() -> None:
    assert load() is load([])


def test_importing_schemas_loads_nothing_big(python: Callable[[str], str]) -> None:
    modules = python("import sys; from celvet import schemas; schemas.load(); print(*sys.modules)")
    assert not {"jsonschema", "yaml", "celvet.lint", "click", "rich"} & set(modules.split())
