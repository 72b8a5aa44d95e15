"""Forms of patches that the recorded trees lack.

The values are those that kustomize 5.8.1 gives.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from celvet.lint.kustomize.resource import Resource
from tests.kustomize.test_configured import OBJECT, _built

_WAIT = json.dumps([{"op": "replace", "path": "/spec/wait", "value": False}])
_PATH = json.dumps([{"op": "replace", "path": "/spec/path", "value": "./b"}])


def _patched(directory: Path, fields: dict[str, Any], **files: str) -> Resource:
    """The object of `OBJECT` after the patches of a kustomization."""
    named = {f"apps/{name}.yaml": text for name, text in files.items()}
    lines = "".join(f"{key}: {json.dumps(value)}\n" for key, value in fields.items())
    return _built(directory, {"apps/kustomization.yaml": lines, **named})


@pytest.mark.parametrize(
    ("target", "wait"),
    [
        ({"kind": "Kustomization", "name": "a"}, False),
        ({"version": "v1", "kind": "Kustom.*", "name": "a|b"}, False),
        ({"name": "a", "namespace": "flux-.*"}, False),
        ({"kind": "Kustomization", "name": "a", "namespace": "default"}, True),
        ({"kind": "Kustomization", "name": "b"}, True),
    ],
    ids=str,
)
def test_the_target_of_an_older_patch_is_an_expression(
    target: dict[str, str], wait: bool, tmp_path: Path
) -> None:
    found = _patched(tmp_path, {"patchesJson6902": [{"target": target, "patch": _WAIT}]})
    assert (found.unknown, found.value["spec"]["wait"]) == ((), wait)


def test_an_older_patch_names_its_target(tmp_path: Path) -> None:
    patch = {"target": {"kind": "Kustomization"}, "patch": _WAIT}
    assert not _patched(tmp_path, {"patchesJson6902": [patch]}).knows("spec")


@pytest.mark.parametrize(
    ("field", "labels"), [("patchesStrategicMerge", {"tier": "null"}), ("patches", {})]
)
def test_a_null_among_the_labels(field: str, labels: dict[str, str], tmp_path: Path) -> None:
    patch = f"{OBJECT.split('spec')[0]}".replace("name: a,", "name: a, labels: {tier: null},")
    entry = {"patch": patch} if field == "patches" else patch
    found = _patched(tmp_path, {field: [entry]})
    assert (found.unknown, found.value["metadata"].get("labels", {})) == ((), labels)


@pytest.mark.parametrize("form", ["inline", "file"])
def test_of_several_lists_of_operations_the_first_one_counts(form: str, tmp_path: Path) -> None:
    text = f"---\n- {_WAIT[1:-1]}\n---\n- {_PATH[1:-1]}\n"
    given = {"path": "patch.yaml"} if form == "file" else {"patch": text}
    patch = {"target": {"kind": "Kustomization"}, **given}
    found = _patched(tmp_path, {"patches": [patch]}, patch=text)
    assert found.value["spec"] == {"path": "./a", "wait": False}


@pytest.mark.parametrize(
    ("form", "text", "known"),
    [
        ("patch", f"\n {_WAIT}\n", True),
        ("patch", "\n [{op: remove, path: /spec/wait}]\n", False),
        ("path", _WAIT, True),
        ("path", "[{op: remove, path: /spec/wait}]", False),
        ("path", " [{op: remove, path: /spec/wait}]", True),
    ],
)
def test_a_patch_that_begins_with_a_bracket_is_json(
    form: str, text: str, known: bool, tmp_path: Path
) -> None:
    given = "patch.yaml" if form == "path" else text
    patch = {"target": {"kind": "Kustomization"}, form: given}
    assert _patched(tmp_path, {"patches": [patch]}, patch=text).knows("spec") is known


def test_after_a_change_of_the_kind_nothing_is_known(tmp_path: Path) -> None:
    """Later patches may name the object by its former kind."""
    text = json.dumps([{"op": "replace", "path": "/kind", "value": "Other"}])
    patch = {"target": {"kind": "Kustomization"}, "patch": text}
    assert not _patched(tmp_path, {"patches": [patch]}).knows("kind")


@pytest.mark.parametrize("field", ["patches", "patchesStrategicMerge"])
def test_a_patch_that_replaces_the_whole_object_does_nothing(field: str, tmp_path: Path) -> None:
    patch = "$patch: replace\n" + OBJECT.replace("wait: true", "wait: false")
    found = _patched(tmp_path, {field: [{"patch": patch} if field == "patches" else patch]})
    assert (found.unknown, found.value["spec"]["wait"]) == ((), True)


@pytest.mark.parametrize(
    "name",
    [
        "https://github.com/acme/base//apps?ref=v1",
        "github.com/acme/base",
        "git@github.com:acme/base.git",
        "git::https://acme.example/base//apps",
        "ssh://git@acme.example/base.git//apps",
        "acme.example/base.git//apps",
    ],
)
def test_a_remote_directory_may_bring_schemas_and_further_fields(name: str, tmp_path: Path) -> None:
    patch = {"target": {"kind": "Kustomization"}, "patch": _WAIT}
    fields = {"bases": [name]}
    assert not _patched(tmp_path, {**fields, "patches": [patch]}).knows("spec", "wait")
    assert not _patched(tmp_path, {**fields, "namespace": "apps"}).knows("spec", "wait")
    assert not _patched(tmp_path, fields).unknown


@pytest.mark.parametrize(
    "name", ["https://acme.example/crds.yaml", "https://acme.example/x.yml?a=b"]
)
def test_a_remote_file_brings_objects_only(name: str, tmp_path: Path) -> None:
    patch = {"target": {"kind": "Kustomization"}, "patch": _WAIT}
    found = _patched(tmp_path, {"bases": [name], "patches": [patch]})
    assert (found.unknown, found.value["spec"]["wait"]) == ((), False)
