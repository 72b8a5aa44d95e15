"""celvet refuses no directory that the real Flux builds, and says why of most that it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import celvet
from tests.kustomize.refusals import cases, write


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["name"])
def test_directory(case: Any, tmp_path: Path) -> None:
    """The finding gives the recorded reason; a case without one is not found out yet."""
    write(case["files"], tmp_path)
    said = [
        finding.message.partition(": ")[2]
        for result in celvet.lint_paths([tmp_path / "flux/web.yaml"], root=tmp_path)
        for finding in result.findings
        if finding.rule == "refused-build"
    ]
    assert said == ([case["reason"]] if "reason" in case else [])
    assert case["refused"] or not said
