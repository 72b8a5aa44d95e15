"""A suggested entry for a kind of the catalogue can be pasted, is clean, and passes its test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet import schemas
from celvet.lint.crds import NOTHING
from celvet.lint.engine import Settings, lint_text
from celvet.lint.healthtest.read.read import read_tests
from celvet.lint.healthtest.run.run import run_case
from celvet.lint.model import GroupKind
from celvet.lint.rule_ids import MISSING_FAILED, STALE_GENERATION
from celvet.lint.safe_text import yaml_text
from celvet.lint.suggest.health_test import health_test
from celvet.lint.suggest.output import FORMATS
from celvet.lint.suggest.suggest import Suggester
from celvet.lint.suggest.suggestion import Suggestion, Suggestions
from tests import libyaml
from tests.kinds.known import named_kinds
from tests.properties import sample

CATALOG = schemas.load()
_DIFFERS = {MISSING_FAILED: ("Failed", "InProgress"), STALE_GENERATION: ("InProgress", "Current")}
"""What an info about a variant says: the right verdict, and the one that the variant gives."""
KINDS = sample([GroupKind(*each) for each in named_kinds()])


def _suggestions(kind: GroupKind) -> list[Suggestion]:
    """The recommended entry and its variants."""
    recommended = Suggester(CATALOG, NOTHING).of(kind)
    variants = (Suggester(CATALOG, NOTHING, name).of(kind) for name in recommended.variants)
    return [recommended, *variants]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_it_is_a_list_item_ready_to_paste(kind: GroupKind) -> None:
    for each in _suggestions(kind):
        text = FORMATS.renderer("yaml")(Suggestions([each]), False)
        assert libyaml.load(text) == ([each.fields] if each.entry else None)
        assert all(len(line) <= 120 for line in text.splitlines() if line.startswith("#"))


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_it_lints_clean(kind: GroupKind) -> None:
    assert _reported(_suggestions(kind)[0]) == set()


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_variant_lints_clean_except_for_what_it_declares(kind: GroupKind) -> None:
    recommended, *variants = _suggestions(kind)
    right = {state.name: state.verdict for state in recommended.life}
    for each in variants:
        gives = {(right[state.name], state.verdict) for state in each.life}
        told = {rule for rule, differs in _DIFFERS.items() if differs in gives}
        assert _reported(each) <= told, each.variant


def _reported(suggestion: Suggestion) -> set[str]:
    text = yaml_text(health_test(suggestion, CATALOG)[0])
    return {each.rule for each in lint_text(text.encode(), settings=Settings()).findings}


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_its_health_test_passes(kind: GroupKind) -> None:
    for each in _suggestions(kind):
        documents: list[Any] = health_test(each, CATALOG)
        text = "---\n".join(map(yaml_text, documents))
        read = read_tests(Path("a.yaml"), text.encode(), Settings())
        assert not read.result.findings
        (test,) = read.tests
        assert len(test.cases) == len(each.life)
        assert not [case.name for case in test.cases if run_case(test, case).mismatches]
