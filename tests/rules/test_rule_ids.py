"""Code names rules by their constants, and only existing ones."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import get_args

import pytest

from celvet.lint import rule_ids
from celvet.lint.cel.syntax.refusal import RefusalCause
from celvet.lint.manifest.problem import KINDS
from celvet.lint.rules import ids
from celvet.schemas import load
from celvet.schemas.reader.vocabulary import _RULES
from celvet.schemas.sites import subschemas

_LINT = Path(__file__).parents[2] / "lint"
_CONSTANTS = {
    name: value for name, value in vars(rule_ids).items() if name.isupper() and name[0] != "_"
}
_ALSO_CAUSES = frozenset({*KINDS, *get_args(RefusalCause)}) & frozenset(ids())
"""Ids that are also those of a problem of a text, or of the cause of a refusal."""

_BY_CAUSE = ("cel/", "manifest/", "rules/", "crds/files.py", "config/table.py")
"""Where such a word means a problem or a cause."""


def _modules() -> list[Path]:
    return [path.relative_to(_LINT) for path in _LINT.rglob("*.py") if path.name != "rule_ids.py"]


@pytest.mark.parametrize(("name", "value"), _CONSTANTS.items())
def test_a_constant_is_a_rule(name: str, value: str) -> None:
    assert value in ids()
    assert name == value.upper().replace("-", "_")


@pytest.mark.slow
def test_no_rule_is_named_by_a_bare_text() -> None:
    assert not [
        f"{path}:{node.lineno}: {node.value}"
        for path in _modules()
        for allowed in [_ALSO_CAUSES if path.as_posix().startswith(_BY_CAUSE) else ()]
        for node in ast.walk(ast.parse((_LINT / path).read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in ids() and node.value not in allowed
    ]


def test_schemas_name_rules_that_report_broken_keywords() -> None:
    named = {
        wording["rule"]
        for kind in load().kinds
        for _, schema in subschemas(kind.schema)
        for wording in schema.get("x-refusal", {}).values()
        if "rule" in wording
    }
    assert named <= _RULES <= set(ids())
