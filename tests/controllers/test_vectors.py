"""The recorded answers of the controllers, all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.answer import NOT_ANALYSED
from tests.conformance.run import run_file
from tests.properties import sample

_VECTORS = Path(__file__).parent.parent / "conformance"


@pytest.mark.parametrize(
    ("name", "least"),
    [("kstatus", 1268), ("gardener", 901), ("cartographer", 1968), ("flux-health", 1497)],
)
def test_every_vector_agrees(name: str, least: int) -> None:
    score = run_file(_VECTORS / f"{name}.jsonl", sample)
    assert score.wrong == []
    assert score.total >= len(sample(range(least)))


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("kro", 488),
        *(("olm", 151), ("package-operator", 226), ("function-patch-and-transform", 226)),
        *(("flux-notification", 178), ("function-auto-ready", 207)),
        *(("sveltos", 179), ("ocm", 305), ("argo-workflows", 400), ("pulumi", 250)),
    ],
)
def test_the_neighbours_agree(name: str, least: int) -> None:
    """Except where an expression calls a function that celvet does not evaluate."""
    score = run_file(_VECTORS / f"{name}.jsonl", sample)
    beyond = (NOT_ANALYSED, "the controller has no function `join`")
    assert [vector for vector, answer in score.wrong if not answer.message.startswith(beyond)] == []
    assert score.total == len(sample(range(least)))


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("flux-controllers.jsonl", 179),
        ("cel-go-releases.yaml", 24),
        ("kustomize-controller.yaml", 95),
        ("helm-controller.yaml", 58),
        ("flux-operator.yaml", 50),
    ],
)
def test_the_real_controllers_agree(name: str, least: int) -> None:
    """Except for vectors with facts that celvet cannot know."""
    score = run_file(_VECTORS / name)
    assert [vector for vector, _ in score.wrong if "beyond" not in vector] == []
    assert score.total >= least
