"""A message fits on a line, and nothing that `explain` shows refutes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.engine import Settings
from celvet.lint.explain.pages import pages
from tests.rules.claims import refuted_claims
from tests.rules.every_case import every_case
from tests.rules.repository import lint_files

_LONGEST = 110
"""About 100 characters say what and why; names of users and words of controllers are longer."""


@pytest.mark.parametrize("case", every_case())
def test_messages(case: dict[str, Any], tmp_path: Path) -> None:
    settings = Settings(
        substitutions=case.get("substitute", {}),
        everything=case.get("everything", False),
        targets=tuple(case.get("targets", {}).items()),
    )
    for result in lint_files(case["manifest"], tmp_path, settings):
        for finding in result.findings:
            assert len(finding.message) <= _LONGEST, finding.message
        for page in pages(result):
            assert [*refuted_claims(page)] == []
