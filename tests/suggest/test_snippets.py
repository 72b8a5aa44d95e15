"""What is printed for a system can be pasted, and agrees with the life of the kind or says so.

The text is read again and run by the semantics of the system. `python -m tests.suggest.snippets`
does that for all kinds.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from celvet.lint.model import GroupKind
from celvet.schemas.known_kinds import known_kinds
from celvet.schemas.snippets import snippet_names
from tests.cli.command import celvet
from tests.properties import sample
from tests.suggest.snippets import contradictions, suggestion
from tests.tables import read_table

_KINDS = [GroupKind(*pair) for pair in known_kinds()]
_SAMPLE = sample([*product(_KINDS[::7], snippet_names())])
_CASES = read_table(Path(__file__).with_name("snippets.yaml"))


@pytest.mark.parametrize(("kind", "dialect"), _SAMPLE, ids=str)
def test_the_text_gives_the_verdicts_of_the_life_or_says_where_not(
    kind: GroupKind, dialect: str
) -> None:
    assert contradictions(kind, dialect) == []


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
def test_what_is_printed(case: dict[str, Any]) -> None:
    snippet = suggestion(GroupKind(case["group"], case["kind"]), case["dialect"]).snippet
    assert snippet
    printed = {
        "text": snippet.text,
        "expressions": snippet.expressions,
        "unsaid": [*snippet.unsaid],
        "needless": snippet.needless,
        "differs": {item.state: item.gives for item in snippet.differs},
    }
    wanted = {key: value for key, value in case.items() if key in printed}
    assert {key: printed[key] for key in wanted} == wanted


@pytest.mark.usefixtures("outside")
def test_a_kind_without_a_life_has_no_snippet(tmp_path: Path) -> None:
    gadget = {"apiVersion": "acme.example/v1", "kind": "Gadget", "status": {"phase": "Running"}}
    (tmp_path / "gadget.json").write_text(str(gadget).replace("'", '"'))
    ran = celvet("suggest", "--from-object", "gadget.json", "--for", "kro", cwd=tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert "the catalogue has no states to try it on" in ran.err


@pytest.mark.usefixtures("outside")
@pytest.mark.parametrize("option", ["--missing", "--test"])
def test_only_flux_has_tests_and_missing_entries(option: str, tmp_path: Path) -> None:
    ran = celvet("suggest", ".", option, "--for", "kro", cwd=tmp_path)
    assert ran.status == 2
    assert "leave --for out" in ran.err
