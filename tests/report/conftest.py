from __future__ import annotations

import pytest

from celvet.lint.engine import lint_text
from celvet.lint.report.report import FileReport, file_report
from docs.generate import ROOT


@pytest.fixture(scope="session")
def example_reports() -> list[FileReport]:
    """The reports of all examples."""
    paths = sorted((ROOT / "examples").rglob("*.yaml"))
    return [file_report(lint_text(path.read_bytes(), path.name)) for path in paths]
