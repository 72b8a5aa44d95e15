"""The recorded vectors of client-go and of Cartographer."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conformance.jsonpath import MODES
from tests.conformance.run import run_file
from tests.properties import sample

_VECTORS = Path(__file__).parent.parent / "conformance"


def test_client_go_vectors() -> None:
    score = run_file(_VECTORS / "jsonpath.jsonl", sample)
    assert score.total > len(sample(range(1900)))
    assert score.wrong == []


def test_cartographer_vectors(tmp_path: Path) -> None:
    lines = (_VECTORS / "cartographer.jsonl").read_text(encoding="utf-8").splitlines()
    ours = [line for line in lines[1:] if json.loads(line)["mode"] == "cartographer"]
    path = tmp_path / "cartographer.jsonl"
    path.write_text("\n".join([lines[0], *ours]), encoding="utf-8")
    score = run_file(path, sample)
    assert score.total > len(sample(range(600)))
    assert score.wrong == []


def test_cartographer_errors_are_its_own_words() -> None:
    """Except where a map is printed and cut, or an order is undefined."""
    lines = (_VECTORS / "cartographer.jsonl").read_text(encoding="utf-8").splitlines()
    objects = json.loads(lines[0])["objects"]
    for line in lines[1:]:
        vector = json.loads(line)
        if vector["mode"] != "cartographer" or vector["want"]["ok"]:
            continue
        if "cannot be filtered" in vector["want"]["error"] or "map[" in vector["want"]["error"]:
            continue
        answer = MODES["cartographer"](vector, objects[vector["object"]])
        assert answer.message == vector["want"]["error"], vector
