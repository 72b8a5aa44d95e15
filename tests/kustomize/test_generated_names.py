"""A reference to a generated object is not what the file says: kustomize adds a hash to its name.

The cases agree with fluxcd/pkg/kustomize 1.44.0.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from celvet.lint.kustomize.resource import Resource
from celvet.lint.repository.builds.build import transform
from celvet.lint.repository.builds.builder import KustomizationBuilder
from celvet.lint.repository.files import Files
from tests.files import write_files

_RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: values}
spec:
  releaseName: values
  valuesFrom:
    - {kind: ConfigMap, name: other}
    - {kind: ConfigMap, name: values}
"""
_DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: values}
spec:
  template: {spec: {volumes: [{name: config, configMap: {name: values}}]}}
"""
_CONFIGURATION = """\
nameReference:
  - kind: ConfigMap
    version: v1
    fieldSpecs: [{path: spec/valuesFrom/name, kind: HelmRelease}]
"""
_GENERATOR = """\
resources: [release.yaml, app.yaml]
configMapGenerator: [{name: values, literals: [a=b]}]
"""


_APPENDING = """\
resources: [base]
patches:
  - target: {kind: HelmRelease}
    patch: '[{"op": "add", "path": "/spec/valuesFrom/%s", "value": {"name": "more"}}]'
"""


def _built(directory: Path, kustomization: str) -> dict[str, Resource]:
    files = {
        "release.yaml": _RELEASE,
        "app.yaml": _DEPLOYMENT,
        "names.yaml": _CONFIGURATION,
        "kustomization.yaml": kustomization,
    }
    write_files(directory, files)
    return _built_again(directory, "")


def _built_again(root: Path, directory: str) -> dict[str, Resource]:
    found = Files(root)
    resources = [
        transform(obj.value, entry.passes)
        for entry in KustomizationBuilder(found).build(directory).entries
        for obj in found.objects(entry.file)
    ]
    return {str(each.value["kind"]): each for each in resources if each}


@pytest.mark.parametrize(
    ("rest", "in_release", "in_deployment"),
    [
        ("configurations: [names.yaml]\n", True, True),
        ("", False, True),
        (
            "configurations: [names.yaml]\ngeneratorOptions: {disableNameSuffixHash: true}\n",
            False,
            False,
        ),
    ],
)
def test_only_references_change(
    rest: str, *, in_release: bool, in_deployment: bool, tmp_path: Path
) -> None:
    built = _built(tmp_path, _GENERATOR + rest)
    release, deployment = built["HelmRelease"], built["Deployment"]
    assert release.knows("spec", "valuesFrom", 1, "name") != in_release
    assert release.knows("spec", "valuesFrom", 0)
    assert release.knows("spec", "releaseName")
    volume = ("spec", "template", "spec", "volumes", 0)
    assert deployment.knows(*volume, "configMap", "name") != in_deployment
    assert deployment.knows(*volume, "name")
    assert deployment.knows("metadata")


@pytest.mark.parametrize(("position", "known"), [("-", True), ("0", False)])
def test_what_follows_an_unknown_name_may_be_added(
    position: str, *, known: bool, tmp_path: Path
) -> None:
    """Only an element before it would move the name to another place."""
    _built(tmp_path / "base", f"{_GENERATOR}configurations: [names.yaml]\n")
    write_files(tmp_path, {"kustomization.yaml": _APPENDING % position})
    release = _built_again(tmp_path, "")["HelmRelease"]
    assert release.knows("spec", "releaseName") == known
    assert release.knows("spec", "valuesFrom", 2) == known
    assert not release.knows("spec", "valuesFrom", 1, "name")
