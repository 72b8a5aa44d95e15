"""Go's recorded answers: see `record`."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import pytest

from celvet.lint.go.quoting import from_bytes, to_bytes
from celvet.lint.gotemplate import OPERATOR, ErrorKind, TemplateError, parse
from tests.gotemplate.record import FILE

_OWN_WORDS = "error calling mustFromJson: "

LINES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
INPUTS, VECTORS = LINES[0]["inputs"], LINES[1:]


def answer(vector: dict[str, Any]) -> tuple[str, str]:
    try:
        rendered = parse(vector["t"]).execute(copy.deepcopy(INPUTS[vector["i"]]))
    except TemplateError as error:
        return str(error.kind), str(error)
    return "text", from_bytes(to_bytes(rendered.text))


def groups(size: int) -> list[list[dict[str, Any]]]:
    return [VECTORS[begin : begin + size] for begin in range(0, len(VECTORS), size)]


@pytest.mark.parametrize("vectors", groups(50))
def test_go_answers_the_same(vectors: list[dict[str, Any]]) -> None:
    for vector in vectors:
        kind, text = answer(vector)
        if kind == ErrorKind.UNSUPPORTED:
            assert any(name in vector["t"] for name in ("ago", "toDate")), vector
            continue
        assert (kind == "text") == ("w" in vector), (vector, text)
        expected = vector.get("w", vector.get("e"))
        if _OWN_WORDS in text:  # of broken JSON
            text, expected = text.partition(_OWN_WORDS)[0], expected.partition(_OWN_WORDS)[0]
        assert text == expected, vector


def test_every_function_is_called() -> None:
    written = (vector["t"] for vector in VECTORS if vector["i"] == 0)
    words = {word for text in written for word in re.findall(r"\w+", text)}
    assert set(OPERATOR) <= words
