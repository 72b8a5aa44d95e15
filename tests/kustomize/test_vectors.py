"""Compares what a build makes of objects with the answers of the real kustomize.

`python -m tests.kustomize.record` has recorded them. What the build leaves unknown of
an object proves nothing, and few objects may be so.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from celvet.lint.kustomize.resource import Resource
from celvet.lint.repository.builds import KustomizationBuilder, effective
from celvet.lint.repository.files import Files
from tests.kustomize.record import ANSWERS, fields
from tests.kustomize.trees import Tree
from tests.properties import sample

_ANSWERS = ANSWERS.read_text(encoding="utf-8").splitlines()
_SHARES = 20


def _built(number: int, directory: Path) -> list[Resource]:
    """The objects of a tree."""
    root = Tree(number).write(directory)
    files = Files(directory)
    found = [
        effective(each.value, entry.passes)
        for entry in KustomizationBuilder(files).build(root.name).entries
        for each in files.objects(entry.file)
    ]
    return [each for each in found if each]


@pytest.mark.parametrize("share", range(_SHARES))
def test_objects_are_those_of_kustomize(share: int, tmp_path: Path) -> None:
    known = unknown = 0
    for number in sample(range(share, len(_ANSWERS), _SHARES)):
        answer = json.loads(_ANSWERS[number])
        built = _built(number, tmp_path / str(number))
        if answer is None:
            continue
        assert len(built) == len(answer)
        told = [fields(each.value) for each in built if not each.unknown]
        assert [each for each in told if each not in answer] == [], number
        known, unknown = known + len(told), unknown + len(built) - len(told)
    assert known > unknown
