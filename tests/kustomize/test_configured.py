"""What a file configures under `transformers` is followed, in each form in which it is named.

The values are those that `kubectl kustomize` gives.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from celvet.lint.kustomize.resource import Resource
from celvet.lint.repository.builds.build import transform
from celvet.lint.repository.builds.builder import KustomizationBuilder
from celvet.lint.repository.files import Files
from tests.files import write_files

CONFIGURATION = """\
apiVersion: builtin
kind: NamespaceTransformer
metadata: {name: apply, namespace: apps}
fieldSpecs:
  - {path: metadata/name, kind: Namespace, create: true}
  - {path: spec/targetNamespace, kind: Kustomization, group: kustomize.toolkit.fluxcd.io,
     create: true}
"""
OBJECT = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: a, namespace: flux-system}
spec: {path: ./a, wait: true}
"""
BASE = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
FORMS = {
    "inline": {
        "apps/kustomization.yaml": f"transformers:\n  - |-\n{indent(CONFIGURATION, '    ')}"
    },
    "file": {
        "apps/kustomization.yaml": "transformers: [namespace.yaml]\n",
        "apps/namespace.yaml": CONFIGURATION,
    },
    "directory": {
        "apps/kustomization.yaml": "transformers: [./transformers]\n",
        "apps/transformers/kustomization.yaml": f"{BASE}namespace: apps\nresources: [../../all]\n",
        "all/kustomization.yaml": f"{BASE}resources: [namespace.yaml]\n",
        "all/namespace.yaml": CONFIGURATION.replace("namespace: apps", "namespace: .invalid"),
    },
}


def _built(directory: Path, files: dict[str, str], obj: str = OBJECT) -> Resource:
    kustomization = f"{BASE}resources: [a.yaml]\n{files['apps/kustomization.yaml']}"
    named = {"apps/a.yaml": obj, "apps/kustomization.yaml": kustomization}
    write_files(directory, {**files, **named})
    read = Files(directory)
    entries = KustomizationBuilder(read).build("apps").entries
    (entry,) = (each for each in entries if each.file == "apps/a.yaml")
    found = transform(next(iter(read.objects(entry.file))).value, entry.passes)
    assert found
    return found


@pytest.mark.parametrize("form", FORMS)
def test_the_namespace_and_the_fields_are_set(form: str, tmp_path: Path) -> None:
    found = _built(tmp_path, FORMS[form])
    assert not found.unknown
    assert found.value["metadata"] == {"name": "a", "namespace": "apps"}
    assert found.value["spec"] == {"path": "./a", "wait": True, "targetNamespace": "apps"}


@pytest.mark.parametrize(
    ("configuration", "target"),
    [
        (
            CONFIGURATION.replace("targetNamespace,", "sourceRef/namespace,"),
            {"sourceRef": {"namespace": "apps"}},
        ),
        (CONFIGURATION.replace("create: true", "create: false"), {}),
        (CONFIGURATION.replace("kustomize.toolkit", "helm.toolkit"), {}),
        (CONFIGURATION.replace("kind: Kustomization", "kind: HelmRelease"), {}),
        (
            CONFIGURATION.replace(" kind: Kustomization", " version: v1"),
            {"targetNamespace": "apps"},
        ),
        (CONFIGURATION.replace(" kind: Kustomization", " version: v2"), {}),
    ],
)
def test_a_field_is_set_in_the_objects_it_is_for(
    configuration: str, target: dict[str, Any], tmp_path: Path
) -> None:
    found = _built(tmp_path, {**FORMS["file"], "apps/namespace.yaml": configuration})
    assert found.value["spec"] == {"path": "./a", "wait": True, **target}


_AFFIX = """\
apiVersion: builtin
kind: %s
metadata: {name: names}
%s: x-
fieldSpecs: [{path: metadata/name}]
"""


@pytest.mark.parametrize(
    ("kind", "field", "name"),
    [("PrefixTransformer", "prefix", "x-a"), ("SuffixTransformer", "suffix", "ax-")],
)
def test_a_name_gets_a_prefix_or_a_suffix(kind: str, field: str, name: str, tmp_path: Path) -> None:
    configuration = _AFFIX % (kind, field)
    found = _built(tmp_path, {**FORMS["file"], "apps/namespace.yaml": configuration})
    assert not found.unknown
    assert found.value["metadata"]["name"] == name
    elsewhere = configuration.replace("metadata/name", "spec/path")
    found = _built(tmp_path, {**FORMS["file"], "apps/namespace.yaml": elsewhere})
    assert not found.knows("spec", "path")


_PATCH = """\
apiVersion: builtin
kind: PatchTransformer
metadata: {name: patch}
target: {kind: %s}
"""
_OPERATIONS = '[{"op": "replace", "path": "/spec/wait", "value": false}]'


@pytest.mark.parametrize("form", ["inline", "file"])
@pytest.mark.parametrize(("kind", "wait"), [("Kustom.*", False), ("HelmRelease", True)])
def test_a_patch_is_made_to_its_target(kind: str, wait: bool, form: str, tmp_path: Path) -> None:
    given = "path: patch.yaml\n" if form == "file" else f"patch: '{_OPERATIONS}'\n"
    files = {"apps/namespace.yaml": _PATCH % kind + given, "apps/patch.yaml": _OPERATIONS}
    found = _built(tmp_path, {**FORMS["file"], **files})
    assert not found.unknown
    assert found.value["spec"] == {"path": "./a", "wait": wait}


def test_only_what_is_unset_is_set(tmp_path: Path) -> None:
    configuration = f"{CONFIGURATION}unsetOnly: true\n"
    obj = OBJECT.replace("wait: true", "targetNamespace: db")
    found = _built(tmp_path, {**FORMS["file"], "apps/namespace.yaml": configuration}, obj)
    assert found.value["metadata"] == {"name": "a", "namespace": "flux-system"}
    assert found.value["spec"] == {"path": "./a", "targetNamespace": "db"}


@pytest.mark.parametrize(
    "configuration",
    [
        CONFIGURATION.replace("NamespaceTransformer", "ImageTagTransformer"),
        CONFIGURATION.replace("NamespaceTransformer", "PatchTransformer"),
        CONFIGURATION.replace("apiVersion: builtin", "apiVersion: acme.example/v1"),
        CONFIGURATION.replace(", namespace: apps", ""),
        CONFIGURATION.replace("spec/targetNamespace", "spec/targets[]/namespace"),
        "a: [",
    ],
)
def test_after_any_other_transformer_nothing_is_known(configuration: str, tmp_path: Path) -> None:
    found = _built(tmp_path, {**FORMS["file"], "apps/namespace.yaml": configuration})
    assert not found.knows("spec")


@pytest.mark.parametrize(
    "entry", ["[absent.yaml]", "[https://acme.example/namespace.yaml]", "[1]", "x"]
)
def test_after_one_that_is_not_found_nothing_is_known(entry: str, tmp_path: Path) -> None:
    found = _built(tmp_path, {"apps/kustomization.yaml": f"transformers: {entry}\n"})
    assert not found.knows("spec")


def test_a_field_in_a_list_is_not_known(tmp_path: Path) -> None:
    """kustomize writes to each element of the list."""
    configuration = CONFIGURATION.replace("spec/targetNamespace", "spec/dependsOn/namespace")
    obj = OBJECT.replace("wait: true", "dependsOn: [{name: b}]")
    found = _built(tmp_path, {**FORMS["file"], "apps/namespace.yaml": configuration}, obj)
    assert found.value["spec"] == {"path": "./a", "dependsOn": [{"name": "b"}]}
    assert not found.knows("spec", "dependsOn")


_REFERENCE = "nameReference: [{kind: Kustomization, fieldSpecs: [{path: spec/dependsOn/name%s}]}]\n"
_SPACE = "namespace: [{path: spec/targetNamespace, create: true}]\n"


@pytest.mark.parametrize(
    ("field", "configuration", "known"),
    [
        ("namePrefix: a-", _REFERENCE % "", False),
        ("nameSuffix: -a", _REFERENCE % ", kind: Kustomization", False),
        ("nameSuffix: -a", _REFERENCE % ", kind: HelmRelease", True),
        ("namespace: db", _REFERENCE % "", True),
        ("namespace: db", _SPACE, False),
        ("namePrefix: a-", _SPACE, True),
        ("commonLabels: {a: b}", "commonLabels: [{path: spec/a, create: true}]\n", False),
        ("commonLabels: {a: b}", "commonLabels: [{path: metadata/labels, create: true}]\n", True),
        ("", _REFERENCE % "", True),
    ],
)
def test_what_configurations_add_is_not_known(
    field: str, configuration: str, known: bool, tmp_path: Path
) -> None:
    files = {
        "apps/kustomization.yaml": f"{field}\nconfigurations: [config.yaml]\n",
        "apps/config.yaml": configuration,
    }
    assert _built(tmp_path, files).knows("spec") is known


@pytest.mark.parametrize("field", ["labels", "annotations"])
@pytest.mark.parametrize(
    ("spec", "obj", "given"),
    [
        ("kind: Kustomization, create: true", OBJECT, {"tier": "front"}),
        ("kind: Kustomization", OBJECT, None),
        ("kind: Namespace, create: true", OBJECT, None),
        ("create: false", "labelled", {"a": "b", "tier": "front"}),
    ],
)
def test_labels_and_annotations_are_added(
    field: str, spec: str, obj: str, given: object, tmp_path: Path
) -> None:
    kind = {"labels": "LabelTransformer", "annotations": "AnnotationsTransformer"}[field]
    if obj == "labelled":
        obj = OBJECT.replace("name: a,", f"name: a, {field}: {{a: b}},")
    configuration = (
        f"apiVersion: builtin\nkind: {kind}\nmetadata: {{name: b}}\n{field}: {{tier: front}}\n"
        f"fieldSpecs: [{{path: metadata/{field}, {spec}}}]\n"
    )
    found = _built(tmp_path, {**FORMS["file"], "apps/namespace.yaml": configuration}, obj)
    assert not found.unknown
    assert found.value["metadata"].get(field) == given
