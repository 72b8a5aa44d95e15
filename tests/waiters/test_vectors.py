"""The recorded answers of kstatus, kubectl, Helm and Argo CD."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.run import run_file
from tests.conformance.waiters import argocd_scripts
from tests.properties import sample

_VECTORS = Path(__file__).parent.parent / "conformance"


@pytest.mark.parametrize(
    ("name", "least"), [("kstatus-states", 2816), ("kubectl-wait", 430), ("helm-install", 65)]
)
def test_every_vector_agrees(name: str, least: int) -> None:
    score = run_file(_VECTORS / f"{name}.jsonl", sample)
    assert score.wrong == []
    assert score.total >= len(sample(range(least)))


@pytest.mark.skipif(argocd_scripts() is None, reason="needs Argo CD's scripts (`make tools`)")
def test_the_health_scripts_of_argo_cd_agree() -> None:
    score = run_file(_VECTORS / "argocd-states.jsonl", sample)
    assert score.wrong == []
    assert score.total >= len(sample(range(2866)))
