"""What kustomize and post-build substitution read in a scalar that kubectl reads otherwise.

The answers are those of fluxcd/pkg/kustomize 1.44.0 (kustomize api 0.21.2).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.kustomize.resource import Resource
from celvet.lint.manifest import all_objects, read
from celvet.lint.repository.index import Index
from tests.files import write_files

_APPLIER = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: apps, namespace: flux-system}}
spec:
  path: ./apps
  sourceRef: {{kind: GitRepository, name: flux-system}}
  postBuild: {post_build}
"""
_OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: x}}\ndata:\n  field: {scalar}\n"


def _applied(directory: Path, scalar: str, post_build: str = "null") -> Resource:
    """The object as the cluster gets it; a rule passes it as kubectl reads it."""
    files = {
        "flux/apps.yaml": _APPLIER.format(post_build=post_build),
        "apps/x.yaml": _OBJECT.format(scalar=scalar),
    }
    write_files(directory, files)
    (obj,) = all_objects(read(files["apps/x.yaml"]))
    (form,) = Index(directory).forms.of("apps/x.yaml", obj.value)
    return form.resource


@pytest.mark.parametrize("substitution", ["null", "{substitute: {A: b}}"])
@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("yes", "yes"),
        ("Off", "Off"),
        ("N", "N"),
        ("yEs", "yEs"),
        ("TRUE", True),
        ("'on'", "on"),
        ("!!str on", "on"),
        ("0777", 511),
        ("2026-01-02", "2026-01-02T00:00:00Z"),
        ("2026-1-2 # a date", "2026-01-02T00:00:00Z"),
        ("'2026-01-02'", "2026-01-02"),
        ("2026-13-02", "2026-13-02"),
        ("2026-01-02 03:04:05", "2026-01-02T03:04:05Z"),
        ("2001-12-14T21:59:43.10-05:00", "2001-12-14T21:59:43.1-05:00"),
        ("2026-01-02T03:04:05", "2026-01-02T03:04:05"),
        ("[on, 2026-01-02]", ["on", "2026-01-02T00:00:00Z"]),
        ("{a: no}", {"a": "no"}),
    ],
)
def test_kustomize_reads(scalar: str, value: Any, substitution: str, tmp_path: Path) -> None:
    resource = _applied(tmp_path, scalar, substitution)
    assert resource.value["data"]["field"] == value
    assert not resource.unknown


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("a$$b", "a$b"),
        ("$$$${X}", "$${X}"),
        ("'{$$__tags}'", "{$__tags}"),
        ("$x $ $$$", "$x $ $$"),
        ('"$$1"', "$1"),
        ("${X}$$", "1$"),
        ("$$${X}", "$1"),
    ],
)
def test_a_doubled_dollar(scalar: str, value: str, tmp_path: Path) -> None:
    assert _applied(tmp_path, scalar, "{substitute: {X: '1'}}").value["data"]["field"] == value


def test_a_doubled_dollar_without_any_variable(tmp_path: Path) -> None:
    assert _applied(tmp_path, "a$$b", "{substitute: {}}").value["data"]["field"] == "a$$b"


def test_a_doubled_dollar_if_there_may_be_a_variable(tmp_path: Path) -> None:
    unknown_source = "{substituteFrom: [{kind: Secret, name: none, optional: true}]}"
    assert not _applied(tmp_path, "a$$b", unknown_source).knows("data", "field")


def test_a_key_is_read_too(tmp_path: Path) -> None:
    assert not _applied(tmp_path, "{$$k: v}", "{substitute: {X: '1'}}").knows("data", "field", "$k")
