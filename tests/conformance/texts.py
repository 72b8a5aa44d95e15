"""Answers how the controllers' libraries read a text: YAML, and Flux's variables."""

from __future__ import annotations

from typing import Any

from celvet.lint.manifest import read
from celvet.lint.manifest.substitute.substitution import substitute
from tests.conformance.answer import NOT_ANALYSED, Answer, Mode, Vector


def _yaml(vector: Vector, _: Any) -> Answer:
    """The document that kustomize reads; where celvet reports anything, it claims no value."""
    manifest = read(vector["expr"])
    documents = [each.value for each in manifest.documents if each.root]
    problems = [each.kind for each in manifest.all_problems()]
    if problems or len(documents) > 1:
        return Answer(ok=False, message=NOT_ANALYSED if vector["want"]["ok"] else problems[0])
    return Answer(ok=True, result=documents[0] if documents else None)


def _substitution(vector: Vector, variables: Any) -> Answer:
    done = substitute(vector["expr"], variables)
    return Answer(ok=not done.refusal, result=done.text, message=done.refusal)


MODES: dict[str, Mode] = {"yaml": _yaml, "substitution": _substitution}
