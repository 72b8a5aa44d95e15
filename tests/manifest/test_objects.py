"""The objects of documents, and the place of each field."""

from __future__ import annotations

from pathlib import Path

import pytest

from celvet.lint.locate import Locator
from celvet.lint.manifest import KubeObject, Manifest, objects_in, read
from celvet.lint.model import Path as ValuePath
from celvet.lint.model import Span

_DATA = Path(__file__).with_name("data")


def _read(name: str) -> tuple[Manifest, list[KubeObject]]:
    manifest = read((_DATA / name).read_bytes())
    return manifest, [found for document in manifest.documents for found in objects_in(document)]


def _kinds(found: list[KubeObject]) -> list[tuple[str, str, bool, bool]]:
    return [
        (each.nesting, each.value.get("kind", ""), each.partial, each.templated) for each in found
    ]


def test_objects_of_a_kustomization() -> None:
    _, found = _read("kustomization.yaml")
    assert _kinds(found) == [
        ("document", "Kustomization", False, False),
        ("patch", "Kustomization", True, False),
        ("patch", "", True, False),
        ("patch", "A", True, False),
        ("patch", "ConfigMap", True, False),
        ("patch", "Secret", True, False),
    ]


def test_objects_of_a_list() -> None:
    _, found = _read("list.yaml")
    assert _kinds(found) == [
        ("list", "ResourceSet", False, False),
        ("held", "A", False, True),
        ("held", "B", False, False),
        ("held", "ConfigMap", False, False),
        ("held", "Kustomization", False, False),
        ("patch", "Kustomization", True, False),
        ("list", "HelmRelease", False, False),
        ("patch", "Deployment", True, False),
        ("list", "HelmRelease", False, False),
        ("patch", "Deployment", True, False),
        ("list", "Inner", False, False),
    ]


def test_the_target_says_what_the_patch_does_not() -> None:
    _, found = _read("kustomization.yaml")
    assert found[1].value == {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": "any"},
        "spec": {"healthCheckExprs": [{"current": 'status.ready == "é"'}]},
    }
    assert found[2].value["apiVersion"] == "helm.toolkit.fluxcd.io/v1"
    assert "kind" not in found[2].value


def test_a_json_patch_as_the_object_that_it_writes() -> None:
    _, found = _read("kustomization.yaml")
    assert found[2].value["spec"] == {
        "dependsOn": [{"name": "a", "readyExpr": "xéy"}, {"name": "b"}]
    }
    assert found[3].value["metadata"] == {"annotations": {"a/b": "c"}}


_EXPRS: ValuePath = ("spec", "healthCheckExprs", 0)
_DEPENDS: ValuePath = ("spec", "dependsOn", 0)


@pytest.mark.parametrize(
    ("index", "path", "span", "on_key", "source"),
    [
        (0, ("resources", 0), None, False, "apps.yaml"),
        (0, ("patches",), None, True, "patches"),
        (1, (*_EXPRS, "current"), Span(0, 6), False, "status"),
        (1, (*_EXPRS, "current"), Span(17, 18), False, "é"),
        (1, (*_EXPRS, "failed"), None, False, "current"),
        (1, ("spec", "healthCheckExpr"), None, True, "spec"),
        (1, ("kind",), None, False, "Kustomization"),
        (1, ("apiVersion",), None, False, "kustomize.toolkit.fluxcd.io"),
        (2, (*_DEPENDS, "readyExpr"), Span(1, 2), False, "\\\\u00e9"),
        (2, (*_DEPENDS, "readyExpr"), None, True, "readyExpr"),
        (2, _DEPENDS, None, True, "/spec/dependsOn/-"),
        (2, ("spec", "dependsOn", 1, "name"), None, False, "b"),
        (2, ("metadata",), None, False, "/spec/dependsOn/-"),
        (3, ("metadata", "annotations", "a/b"), Span(0, 1), False, "c"),
        (3, ("kind",), None, False, "A"),
        (4, ("kind",), None, False, "ConfigMap"),
        (5, ("kind",), Span(0, 3), False, "Sec"),
    ],
)
def test_places_in_a_kustomization(
    index: int, path: ValuePath, span: Span | None, on_key: bool, source: str
) -> None:
    manifest, found = _read("kustomization.yaml")
    where = found[index].place(path, span, on_key)
    assert manifest.text[slice(*Locator(manifest).offsets(where))] == source


def test_places_in_aliased_items_are_where_they_are_written() -> None:
    manifest, found = _read("list.yaml")
    locator = Locator(manifest)
    places = [locator.place(each.place(("spec", "replicas"))).line for each in (found[7], found[9])]
    assert places == [29, 29]


def test_an_edit_in_a_patch() -> None:
    manifest, found = _read("kustomization.yaml")
    where = found[1].place((*_EXPRS, "current"), Span(7, 12))
    span = Locator(manifest).source_span(where)
    assert span is not None
    edited = read(manifest.text[: span.start] + "phase" + manifest.text[span.end :])
    assert 'status.phase == "é"' in str(list(objects_in(edited.documents[0]))[1].value)


def test_problems_of_a_patch_are_problems_of_the_file() -> None:
    text = 'patches:\n- patch: |\n    a: 1\n    a: 2\n- patch: "a: [\\n---\\nkind: B\\n"\n'
    manifest = read(text)
    locator = Locator(manifest)
    found = [(each.kind, locator.place(each.where).line) for each in manifest.all_problems()]
    assert found == [("duplicate-key", 4), ("yaml-syntax", 5)]
    [duplicate] = manifest.findings({"duplicate-key"})
    assert locator.place(duplicate.related[0].where).line == 3
    assert [each.value for each in objects_in(manifest.documents[0])] == [{"a": 2}, {"kind": "B"}]


@pytest.mark.parametrize(
    "text",
    [
        "kind: 1\n",
        "- kind: A\n",
        "text\n",
        "kind: List\nitems: []\n",
        "kind: AList\nitems: [1, null, [kind]]\n",
        "patches: text\n",
        "patches: [text, {patch: 1}, {patch: text}, {patch: '[1, {op: add}]'}]\n",
        "patchesStrategicMerge: {a: b}\n",
    ],
)
def test_what_holds_no_object(text: str) -> None:
    assert list(objects_in(read(text).documents[0])) == []


@pytest.mark.parametrize(
    ("kind", "spec"),
    [
        ("kustomize.toolkit.fluxcd.io/v1 Kustomization", "text"),
        ("helm.toolkit.fluxcd.io/v2 HelmRelease", "{postRenderers: [1, {kustomize: [x]}]}"),
        ("fluxcd.controlplane.io/v1 ResourceSet", "{resources: x, steps: [1, {resources: {}}]}"),
        ("fluxcd.controlplane.io/v1 ResourceSet", ""),
    ],
)
def test_odd_shapes_hold_nothing_more(kind: str, spec: str) -> None:
    version, name = kind.split()
    text = f"apiVersion: {version}\nkind: {name}\nspec: {spec}\n"
    assert len(list(objects_in(read(text).documents[0]))) == 1


def test_what_a_patch_says_itself_counts() -> None:
    text = "patches:\n- {patch: 'kind: Own', target: {kind: Other, group: g, version: v2}}\n"
    manifest = read(text)
    [found] = objects_in(manifest.documents[0])
    assert found.value == {"apiVersion": "g/v2", "kind": "Own"}
    assert Locator(manifest).offsets(found.place(("kind",)))[0] == text.index("Own")


def test_a_templated_resource_set_is_not_opened() -> None:
    inner = "{apiVersion: fluxcd.controlplane.io/v1, kind: ResourceSet, spec: {resources: [%s]}}"
    for name, count in (("x", 3), ("<< inputs.x >>", 2)):
        text = inner % (inner % f"{{kind: A, name: '{name}'}}")
        found = list(objects_in(read(text).documents[0]))
        assert len(found) == count
        assert found[1].templated == (count == 2)


def test_a_mapping_patch_of_old_flux() -> None:
    text = (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1beta2\nkind: Kustomization\n"
        "spec:\n  patchesStrategicMerge:\n    - {kind: A, x: 1}\n"
    )
    manifest = read(text)
    patch = list(objects_in(manifest.documents[0]))[1]
    assert (patch.value, patch.partial) == ({"kind": "A", "x": 1}, True)
    assert Locator(manifest).place(patch.place(("x",))).column == 20
