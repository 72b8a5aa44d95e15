"""How the meaning of a kind is written for a system that is not Flux: `<name>.json`.

`declaration` is an object of the system in which `$(current)` and `$(failed)` stand for the
expressions, and `$(kind)`, `$(group)` and others for what the kind is called; `print` is the path
of the part to paste, `place` says where. `answers` tell by the status of an evaluator at a path in
the declaration which verdict it gives; the first that fits counts, and without one the object is in
progress. `failed` says what the system cannot say about a failed state, `notes` what else a user
has to know.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from celvet.record import field, record

FLUX = "flux"
"""The system whose entries the catalogue has itself."""

_DIRECTORY = Path(__file__).parent


@record
class SnippetAnswer:
    """The verdict that a status of the evaluator at a path stands for."""

    at: tuple[str | int, ...]
    status: str
    verdict: str


@record(eq=False)
class SnippetForm:
    """The form of a snippet; the docstring of the module has its fields.

    `language` is that of the expressions. `dialect` and `variable` are empty where they are not
    CEL; `own` is the waiter that the system is without a snippet; `assertions` has the forms of one
    about a condition and about a field, for a system without expressions. `mirrors` is the program
    and the release whose code celvet follows.
    """

    name: str
    mirrors: str
    place: str
    language: str
    declaration: Mapping[str, Any]
    print: tuple[str | int, ...]
    answers: tuple[SnippetAnswer, ...] = ()
    dialect: str = ""
    variable: str = ""
    own: str = ""
    assertions: Mapping[str, Any] = field(default_factory=dict)
    failed: str = ""
    notes: tuple[str, ...] = ()


def snippet_names() -> list[str]:
    """The names of all forms, in alphabetical order; reads none of them."""
    return sorted(file.stem for file in _DIRECTORY.glob("*.json"))


@cache
def snippet_form(name: str) -> SnippetForm:
    """The form with a name."""
    file = _DIRECTORY / f"{name}.json"
    content = json.loads(file.read_bytes())
    answers = tuple(
        SnippetAnswer(tuple(answer["at"]), answer["status"], answer["verdict"])
        for answer in content.pop("answers", ())
    )
    for key in ("print", "notes"):
        content[key] = tuple(content.get(key, ()))
    return SnippetForm(name=name, answers=answers, **content)
