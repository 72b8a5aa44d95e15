"""Which commands answer for each field with an expression; `fields.yaml` has those that do not."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from celvet.lint.cel import Compiled
from celvet.lint.checks import AnyExpression, CheckedObject, check_value
from celvet.lint.controllers import evaluators
from celvet.lint.engine import Settings, lint_text
from celvet.lint.explain.pages import explained
from celvet.lint.lsp.features.completion.propose import Examples, proposals
from celvet.lint.lsp.features.hover import hover
from celvet.lint.lsp.state.analysis import Analysis
from celvet.lint.model import Path as FieldPath
from celvet.lint.model import Severity
from celvet.lint.values import get
from celvet.schemas import load
from tests.tables import read_table

_FOLDER = Path(__file__).parent
_CASES = _FOLDER.parent / "validation" / "cases"
_OWN = {"celvet", "cartographer", "gardener", "rukpak"}
"""Systems whose fields the tests of their packages ask about."""


def test_each_command_answers_for_each_field() -> None:
    assert dict(_holes()) == read_table(_FOLDER / "fields.yaml")


def _holes() -> Iterator[tuple[str, list[str]]]:
    """The commands without an answer, by kind, role and dialect."""
    seen = set()
    for file in sorted(_CASES.glob("*.yaml")):
        for case in read_table(file):
            kinds = [kind for kind in load().kinds if kind.kind == case["object"]["kind"]]
            if not kinds or kinds[0].system in _OWN:
                continue
            names = {"apiVersion": f"{kinds[0].group}/v1", "metadata": {"name": "a"}}
            obj: Any = json.loads(json.dumps({**names, **case["object"]}))
            checked = check_value(obj, load())
            expressions: list[AnyExpression] = [*checked.cel, *checked.paths]
            for expression in expressions:
                name = f"{kinds[0].kind} {expression.role} {expression.dialect.name}"
                refusals = [*_refusals(expression)]
                text = str(get(obj, expression.path))
                is_once = json.dumps(obj).count(json.dumps(text)) == 1
                if name in seen or refusals or "." not in text or not is_once:
                    continue
                seen.add(name)
                if missing := [*_missing(checked, obj, expression.path, text)]:
                    yield name, missing


def _refusals(expression: AnyExpression) -> Iterator[Any]:
    program = expression.program
    if isinstance(program, Compiled):
        yield from program.refusals
    elif program.refusal:
        yield program.refusal


def _missing(checked: CheckedObject, obj: Any, path: FieldPath, expression: str) -> Iterator[str]:
    broken = copy.deepcopy(obj)
    get(broken, path[:-1])[path[-1]] = "["
    result = lint_text(json.dumps(broken).encode(), "f.yaml", Settings())
    if not any(finding.severity is Severity.ERROR for finding in result.findings):
        yield "lint"
    parts = [part for part in evaluators(checked) if path[: len(part.path)] == part.path]
    if not parts:
        yield "eval and test"
    if not any(own.path == path for part in parts for own in part.expressions):
        yield "eval --trace"
    text = json.dumps(obj, indent=1)
    pages, _ = explained(text.encode(), "f.yaml", Settings())
    inner = expression.removeprefix("${").removesuffix("}") if "${" in expression else expression
    if not any(inner in page.texts.values() for page in pages):
        yield "explain"
    analysis = Analysis(text, "f.yaml", Settings())
    at = text.index(json.dumps(expression)) + 1 + expression.index(".") + 1
    if not hover(analysis, at):
        yield "hover"
    if not proposals(text, at, Settings(), Examples([analysis], list)).items:
        yield "completion"
