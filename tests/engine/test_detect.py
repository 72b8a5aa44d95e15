"""Unreadable text is reported only if it seems to be of a known kind."""

from __future__ import annotations

import pytest

from celvet.lint.engine import lint_text
from celvet.lint.manifest.file_limits import MAX_BYTES

_BROKEN = "\nbroken: [\n"


@pytest.mark.parametrize(
    "text",
    [
        '{\n  // launch\n  "program": "${workspaceFolder}/he.py"\n  "cwd": 1}',
        '{"a": "\\u00e9", "b": "x\\/y", "cut": "of',
        "title: Plain text\nbody: a: b\n",
        "dependsOn: [a, b\n",
        "imagePath: a: b\n",
        "kind: Plainly\nbody: a: b\n",
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization" + _BROKEN,
        "apiVersion: v1\nkind: Secret\nx: kustomize.toolkit.fluxcd.io/name" + _BROKEN,
        "apiVersion: v1\nkind: Role\napiGroups: [kustomize.toolkit.fluxcd.io]" + _BROKEN,
        "apiVersion: v1\nkind: ConfigMap\ndata: {dependsOn: healthCheckExprs}" + _BROKEN,
        "dependsOn: {{ .Values.x }}\n{{ end }}\n",
        '{"${x}": "' + "\\u0041" * (MAX_BYTES // 6) + '"}',
        b"${x}\0",
        b"${x}: \xff",
    ],
)
def test_nothing_is_reported_about_what_others_wrote(text: str | bytes) -> None:
    assert lint_text(text).findings == ()


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization" + _BROKEN,
        "apiVersion kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\na: b: c\n",
        '{"apiVersion":"helm.toolkit.fluxcd.io\\/v2","kind":"HelmRelease","a" "b"}',
        '{"kind": "Kustomization", "spec": {"healthCheckExprs": ["}}',
        "kind: Kustomization\nspec: {healthCheckExprs: [a, b\n",
        "patches:\n- target: {group: kustomize.toolkit.fluxcd.io, kind: Kustomization\n",
        "kind: Plain" + _BROKEN,
        "kind: 'ClusterSourceTemplate'" + _BROKEN,
        b"apiVersion: carto.run/v1alpha1\0",
        b"# caf\xe9\napiVersion: carto.run/v1alpha1\n",
        "apiVersion: carto.run/v1alpha1\n#" + "x" * MAX_BYTES,
        "apiVersion: carto.run/v1alpha1\n".encode("utf-16") + b"\x00",
    ],
)
def test_a_mistake_in_ours_is_reported(text: str | bytes) -> None:
    assert len(lint_text(text).findings) == 1
