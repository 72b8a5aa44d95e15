"""The faults of Argo CD's health scripts that docs/upstream.md lists are still there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from celvet.lint.model import GroupKind
from celvet.lint.waiters.argocd.lua import run
from tests.conformance.waiters import argocd_scripts

_PAGE = (Path(__file__).parents[2] / "docs" / "upstream.md").read_text(encoding="utf-8")
_OBJECTS: list[dict[str, Any]] = yaml.safe_load(_PAGE.partition("```yaml\n")[2].partition("```")[0])


@pytest.mark.parametrize("case", _OBJECTS, ids=lambda case: case["script"])
def test_the_script_says_so(case: dict[str, Any]) -> None:
    scripts = argocd_scripts()
    if scripts is None:
        pytest.skip("`make tools` puts the scripts in place")
    script = scripts.of(GroupKind(*case["script"].split("/")))
    assert script
    assert run(script, case["object"]).status == case["health"]


def test_each_row_has_an_object() -> None:
    rows = re.findall(r"^\| (`.*?/.*?`(?:, `.*?`)?) \|", _PAGE, re.MULTILINE)
    names = {name.split("/")[-1] for row in rows for name in re.findall("`(.*?)`", row)}
    assert names == {case["script"].split("/")[1] for case in _OBJECTS}
