"""Compares what a build makes of objects with the answers of the real kustomize.

`python -m tests.kustomize.record` has recorded them. A field that the build leaves unknown proves
nothing, and few fields may be so.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from celvet.lint.kustomize.resource import Resource
from celvet.lint.repository.builds.build import transform
from celvet.lint.repository.builds.builder import KustomizationBuilder
from celvet.lint.repository.files import Files
from celvet.lint.repository.object_form import BuildFailure
from celvet.lint.repository.refusals.duplicates import duplicate
from celvet.lint.repository.refusals.patches import patch_refusal
from tests.kustomize.record import ANSWERS, PATHS, fields
from tests.kustomize.unusual import tree
from tests.properties import sample

_ANSWERS = ANSWERS.read_text(encoding="utf-8").splitlines()
_SHARES = 60


def _built(number: int, directory: Path) -> tuple[list[Resource], BuildFailure | None]:
    """The objects of a tree, and why kustomize refuses it."""
    root = tree(number).write(directory)
    files = Files(directory)
    build = KustomizationBuilder(files).build(root.name)
    found = [
        transform(each.value, entry.passes)
        for entry in build.entries
        for each in files.objects(entry.file)
    ]
    refusal = build.refusal or patch_refusal(build, files) or duplicate(build, files)
    return [each for each in found if each], refusal


def _told(resource: Resource, values: Sequence[Any]) -> list[Any]:
    """The compared fields of an object, of which what is unknown is left out."""
    return [
        {key: each for key, each in value.items() if resource.knows(*path, key)}
        if isinstance(value, dict)
        else value
        for path, value in zip(PATHS, values, strict=True)
        if resource.knows(*path) or isinstance(value, dict)
    ]


@pytest.mark.parametrize("share", sample(sample(range(_SHARES))))
def test_objects_are_those_of_kustomize(share: int, tmp_path: Path) -> None:
    known = fields_ = 0
    for number in range(share, len(_ANSWERS), _SHARES):
        answer = json.loads(_ANSWERS[number])
        built, refusal = _built(number, tmp_path / str(number))
        if answer is None:
            continue
        assert not refusal, number
        followed = [each for each in built if () not in each.unknown]
        assert len(followed) <= len(answer), number
        assert len(answer) <= len(built) or tree(number).remote, number
        for each in followed:
            told = _told(each, fields(each.value))
            assert told in [_told(each, real) for real in answer], number
            known += sum(each.knows(*path) for path in PATHS)
        fields_ += len(built) * len(PATHS)
    assert known > 0.6 * fields_
