"""Runs `completion.yaml`, which describes its format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.engine import Settings
from celvet.lint.lsp.features.completion.proposal import Proposal
from celvet.lint.lsp.features.completion.propose import Examples, proposals
from celvet.lint.lsp.features.hover import hover
from celvet.lint.lsp.state.analysis import Analysis
from celvet.schemas import kind_facts
from tests import libyaml
from tests.lsp.manifests import HEAD, ISSUER, PROVIDER, RESOURCE_SET, with_crd
from tests.tables import read_table

_CASES = read_table(Path(__file__).parent / "completion.yaml")
_DEPENDS = HEAD.replace("healthCheckExprs:", "dependsOn:") + "    - name: x\n"


_CURSOR = "‸"


def _proposed(
    text: str, settings: Settings | None = None, before: tuple[str, str] = ("", "")
) -> list[Proposal]:
    at = text.index(_CURSOR)
    text = text.replace(_CURSOR, "")
    chosen = settings or Settings()
    parts = [Analysis(each, "f", chosen) for each in (text.replace(*before, 1), text)]
    found = proposals(text, at, chosen, Examples(parts, list))
    return sorted(found.items, key=lambda item: item.rank)


def _accepted(text: str, label: str) -> str:
    """The text after a proposal has replaced the typed part."""
    at = text.index(_CURSOR)
    text = text.replace(_CURSOR, "")
    found = proposals(text, at, Settings(), Examples([], list))
    assert label in [item.label for item in found.items]
    return f"{text[: at - found.replaced_size]}{label}{text[at:]}"


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
def test_case(case: dict[str, Any]) -> None:
    text = case["at"].replace("HEAD", HEAD).replace("DEPENDS", _DEPENDS)
    labels = [item.label for item in _proposed(text, before=tuple(case.get("before", ("", ""))))]
    assert not case.get("none") or labels == []
    first = case.get("first", [])
    assert sorted(labels[: len(first)]) == sorted(first)
    assert [each for each in case.get("has", ()) if each not in labels] == []
    assert [each for each in case.get("lacks", ()) if each in labels] == []
    assert len(labels) == len(set(labels))


def test_inputs_of_a_provider_in_another_file() -> None:
    text = RESOURCE_SET.replace("inputs.size", f"inputs.{_CURSOR}")
    others = (libyaml.load(PROVIDER),)
    labels = [each.label for each in _proposed(text, Settings(providers=others))]
    assert labels[0] == "size"


def test_fields_and_values_of_a_crd() -> None:
    first, *_ = _proposed(f"{HEAD}{ISSUER}      failed: status.‸\n", with_crd())
    assert (first.label, first.detail, first.documentation) == ("phase", "string", "What it is at.")
    found = _proposed(f"{HEAD}{ISSUER}      failed: status.phase == '‸'\n", with_crd())
    assert [item.label for item in found] == ["Up", "Down"]


@pytest.mark.parametrize(
    ("typed", "label", "written"),
    [
        (r'"has(status.x) && \u0073ta‸"', "status", r'"has(status.x) && status"'),
        (
            "\"status.conditions.exists(e, e.type == '\\u0052ea‸')\"",
            "Ready",
            "\"status.conditions.exists(e, e.type == 'Ready')\"",
        ),
        (
            "'status.conditions.exists(e, e.type == ''Re‸'')'",
            "Ready",
            "'status.conditions.exists(e, e.type == ''Ready'')'",
        ),
        ("|\n        true ||\n        sta‸\n", "status", "|\n        true ||\n        status\n"),
        (">-\n        true ||\n        sta‸\n", "status", ">-\n        true ||\n        status\n"),
        ("|\n        ‸\n", "status", "|\n        status\n"),
        ("sta‸", "status", "status"),
        (
            "sta‸\n      current: 'has(status.x) && true'",
            "status",
            "status\n      current: 'has(status.x) && true'",
        ),
    ],
)
def test_what_is_accepted_takes_the_place_of_what_was_typed(
    typed: str, label: str, written: str
) -> None:
    head = f"{HEAD}    - apiVersion: a.b/v1\n      kind: C\n      current: "
    assert _accepted(head + typed, label) == head + written


@given(st.data())
def test_nothing_that_is_typed_fails(data: st.DataObject) -> None:
    text = f"{HEAD}{ISSUER}"
    at = data.draw(st.integers(0, len(text)))
    typed = data.draw(st.text(alphabet="ab.'\"|:-?()[]{}\n \t#&*!~\u2028", max_size=8))
    text = text[:at] + typed.replace("|", "") + text[at:]
    at += len(typed.replace("|", ""))
    assert proposals(text, at, Settings(), Examples([], list)).replaced_size >= 0


@pytest.mark.parametrize(
    "expression",
    [
        "(" * 90_000,
        "a" + ".b" * 1_500 + ".",
        "a" + ".b" * 40_000 + ".",
        "a ? " * 1_000 + "b.",
        "".join(f"a.exists(x{at}, " for at in range(250)) + "x.",
        "a" * 1_000_000,
    ],
    ids=["open", "long", "longer", "branches", "macros", "word"],
)
def test_what_nobody_writes(expression: str) -> None:
    text = f"{HEAD}    - apiVersion: a.b/v1\n      kind: C\n      current: {expression}"
    assert proposals(text, len(text), Settings(), Examples([], list)).items == []
    assert "of any type" not in str(hover(Analysis(text, "f", Settings()), len(text) - 2))


@pytest.mark.parametrize(
    "before",
    [
        "    - apiVersion: a.b/v1\n      current: 'true'\n    - dragonfly.‸",
        "    -\n      dragonfly.‸",
        "    - ‸",
        "    ‸",
        "    - apiVersion: dragonflydb.io/v1alpha1\n      kind: Dragonfly\n      ‸",
        "    -\n      kind: Dragonfly\n      apiVersion: dragonflydb.io/v1alpha1\n      cu‸",
    ],
)
def test_a_whole_entry_is_valid_where_editors_keep_the_indent_of_the_line(before: str) -> None:
    (entry,) = [each for each in _proposed(HEAD + before) if "Dragonfly.dragonfly" in each.label]
    line = (
        before.rpartition("\n")[2].removesuffix("‸").removesuffix("dragonfly.").removesuffix("cu")
    )
    indent = line[: len(line) - len(line.lstrip())]
    kept = before[: len(before) - len(before.rpartition("\n")[2])] + line
    text = f"{HEAD}{kept}" + entry.insert.replace("\n", f"\n{indent}")
    written = libyaml.load(text)["spec"]["healthCheckExprs"][-1]
    facts = kind_facts("dragonflydb.io", "Dragonfly")
    assert facts
    assert written == {"apiVersion": "dragonflydb.io/v1alpha1", "kind": "Dragonfly", **facts.entry}


def test_what_is_known_of_a_value_comes_with_it() -> None:
    entry = "    - apiVersion: dragonflydb.io/v1alpha1\n      kind: Dragonfly\n"
    found = _proposed(f"{HEAD}{entry}      current: status.phase == 'Re‸'\n")
    (ready,) = [each for each in found if each.label == "Ready"]
    assert ready.documentation.startswith("is ready, since 1.2.0.")
