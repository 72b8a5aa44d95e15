"""Compares what chains of Flux Kustomizations make of objects with what Flux's libraries make.

`python -m tests.kustomize.record_chains` has recorded that, with fluxcd/pkg/kustomize 1.35.6. A
part that the index leaves unknown proves nothing, and few may be so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from celvet.lint.kustomize.resource import Resource
from celvet.lint.model import Path as Keys
from celvet.lint.repository.index import Index
from tests.kustomize.chains import Chain
from tests.kustomize.record_chains import CHAINS, PATHS, fields
from tests.properties import sample

_ANSWERS = CHAINS.read_text(encoding="utf-8").splitlines()
_KINDS = ("Kustomization", "HelmRelease")


def _effective(number: int, directory: Path) -> Iterator[Resource]:
    """The objects of a repository as the cluster gets them."""
    Chain(number).write(directory)
    index = Index(directory)
    for file in sorted(Chain(number).files):
        for each in index.files.objects(file):
            if each.value.get("kind") in _KINDS and "spec" in each.value:
                found = index.forms.of(file, each.value)
                yield from (form.resource for form in found if form.by)


def _told(resource: Resource, value: Any, path: Keys) -> Any:
    """A value without the parts that are not known."""
    if any(path[: len(each)] == each for each in resource.unknown):
        return None
    if isinstance(value, dict):
        return {key: _told(resource, each, (*path, key)) for key, each in value.items()}
    if isinstance(value, list):
        return [_told(resource, each, (*path, at)) for at, each in enumerate(value)]
    return value


def test_objects_are_those_of_flux(tmp_path: Path) -> None:
    known = parts = 0
    for number, answer in map(json.loads, sample(_ANSWERS)):
        found = [*_effective(number, tmp_path / str(number))]
        followed = [each for each in found if () not in each.unknown]
        assert len(followed) <= len(answer), number
        for each in followed:
            metadata = {"namespace": "default", **each.value["metadata"]}
            value = fields({**each.value, "metadata": metadata})
            alike = (
                [_told(each, part, path) for path, part in zip(PATHS, parts_, strict=True)]
                for parts_ in ([*value], *answer)
            )
            ours, *theirs = alike
            assert ours in theirs, (number, each.value)
        known += sum(each.knows(*path) for each in found for path in PATHS)
        parts += len(found) * len(PATHS)
    assert known > 0.5 * parts
