"""What a replacement writes, and what is unknown after it.

The values are those that `kubectl kustomize` gives.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kustomize.test_configured import OBJECT, _built

_TARGETS = [{"select": {"kind": "Kustomization"}, "fieldPaths": ["spec.path"]}]


def _replaced(directory: Path, entry: dict[str, Any]) -> tuple[Any, bool]:
    """`spec.path` after a replacement, and whether it is known."""
    text = json.dumps([{"targets": _TARGETS, **entry}])
    obj = OBJECT.replace("wait: true", "components: [./b], sourceRef: {name: c}")
    found = _built(directory, {"apps/kustomization.yaml": f"replacements: {text}\n"}, obj)
    return found.value["spec"]["path"], found.knows("spec", "path")


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ({"sourceValue": "./fixed"}, "./fixed"),
        ({"source": {"kind": "Kustomization"}}, "a"),
        ({"source": {"kind": "Kustomization", "fieldPath": "metadata.namespace"}}, "flux-system"),
        ({"source": {"name": "a", "fieldPath": "spec.sourceRef.name"}}, "c"),
    ],
)
def test_the_value_of_an_object_is_written(
    entry: dict[str, Any], path: str, tmp_path: Path
) -> None:
    assert _replaced(tmp_path, entry) == (path, True)


@pytest.mark.parametrize(
    "entry",
    [
        {"source": {"kind": "Kustomization", "fieldPath": "spec.components.*"}},
        {"source": {"kind": "Kustomization", "fieldPath": "spec.components.[name=x].y"}},
        {"source": {"kind": "Kustomization", "options": {"delimiter": "-"}}},
        {"source": {"kind": "ConfigMap", "fieldPath": "data.path"}},
        {"sourceValue": "true"},
        {"sourceValue": "x", "targets": [{**_TARGETS[0], "options": {"delimiter": "/"}}]},
        {"sourceValue": "x", "targets": [{**_TARGETS[0], "fieldPaths": ["spec.*"]}]},
        # strconv.Atoi reads neither as an index, and the build fails without such a field
        {"sourceValue": "x", "targets": [{**_TARGETS[0], "fieldPaths": ["spec.components.²"]}]},
        {
            "sourceValue": "x",
            "targets": [{**_TARGETS[0], "fieldPaths": [f"spec.components.{'9' * 5_000}"]}],
        },
    ],
)
def test_what_is_not_followed_is_unknown(entry: dict[str, Any], tmp_path: Path) -> None:
    assert not _replaced(tmp_path, entry)[1]


def test_an_object_that_is_rejected_stays_as_it_is(tmp_path: Path) -> None:
    for name in ("a", "other"):
        targets = [{**_TARGETS[0], "reject": [{"name": name}]}]
        written = "./a" if name == "a" else "x"
        assert _replaced(tmp_path / name, {"sourceValue": "x", "targets": targets}) == (
            written,
            True,
        )


@pytest.mark.parametrize(
    ("reject", "path"),
    [
        ({"name": "a"}, "./a"),
        ({"name": "b"}, "x"),
        ({"kind": "Kustom.*", "labelSelector": "tier"}, "./a"),
        ({"labelSelector": "tier"}, "x"),
        ({"name": "b", "labelSelector": "!tier"}, "./a"),
        ({}, "x"),
    ],
    ids=str,
)
def test_a_target_is_rejected_by_its_names_or_by_its_metadata(
    reject: dict[str, str], path: str, tmp_path: Path
) -> None:
    target = {**_TARGETS[0], "reject": [reject]}
    assert _replaced(tmp_path, {"sourceValue": "x", "targets": [target]}) == (path, True)


@pytest.mark.parametrize(
    ("select", "path"),
    [
        ({"name": "p-a", "namespace": "apps"}, "x"),
        ({"name": "a", "namespace": "apps"}, "x"),
        ({"name": "p-a", "namespace": "flux-system"}, "./a"),
    ],
    ids=str,
)
def test_a_target_has_its_name_and_namespace_at_one_time(
    select: dict[str, str], path: str, tmp_path: Path
) -> None:
    """The namespace is set first."""
    entry = {"sourceValue": "x", "targets": [{**_TARGETS[0], "select": select}]}
    text = f"namespace: apps\nnamePrefix: p-\nreplacements: {json.dumps([entry])}\n"
    found = _built(tmp_path, {"apps/kustomization.yaml": text})
    assert (found.value["spec"]["path"], found.knows("spec", "path")) == (path, True)
