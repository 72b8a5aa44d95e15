"""The findings about entries for kinds whose life is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet import schemas
from celvet.lint.engine import Settings, lint_text
from celvet.lint.model import Finding, Severity
from celvet.schemas.facts import KindFacts
from tests.kinds.known import manifest, sampled
from tests.properties import sample
from tests.tables import read_table

CASES = read_table(Path(__file__).with_name("findings.yaml"))
_PROMISES = (
    "missing-failed",
    "never-true",
    "overlapping-verdicts",
    "premature-current",
    "premature-failed",
    "vacuous-match",
)
_WRONG = dict.fromkeys(("fresh", "coming", "transient"), ("Failed", "Current"))
_WRONG["ready"] = ("InProgress", "Unknown")
"""The verdicts that are wrong in the stages of a life."""


def _findings(api_version: str, kind: str, entry: dict[str, str]) -> tuple[Finding, ...]:
    text = manifest(api_version, kind, entry)
    result = lint_text(text, settings=Settings(everything=True))
    assert not result.crashes
    return tuple(result.findings)


@pytest.mark.parametrize("case", sample(CASES), ids=lambda case: case["name"])
def test_findings(case: dict[str, Any]) -> None:
    found = _findings(case["apiVersion"], case["kind"], case["entry"])
    assert [_line(each) for each in found if each.rule in _PROMISES] == case["findings"]
    for text in case.get("help", ()):
        assert any(text in each.help for each in found)
    for text in case.get("notes", ()):
        assert any(text in note.message for each in found for note in each.related)
    for text in case.get("without", ()):
        assert not any(text in note.message for each in found for note in each.related)


def _line(finding: Finding) -> str:
    """A finding with the state that proves it."""
    state = f" [{finding.counterexample.state}]" if finding.counterexample else ""
    return f"{finding.rule} {finding.severity}: {finding.message}{state}"


@pytest.mark.parametrize("name", ["an external secret as well", "an error of a snapshot"])
def test_an_error_of_which_no_variant_makes_a_choice_is_reported(name: str) -> None:
    case = next(each for each in CASES if each["name"] == name)
    text = manifest(case["apiVersion"], case["kind"], case["entry"])
    found = lint_text(text, settings=Settings()).findings
    assert [each.rule for each in found] == ["premature-failed"]


def test_a_state_of_which_nobody_has_read_is_an_info(tmp_path: Path) -> None:
    directory = _changed(
        "kopiur.home-operations.com/SnapshotPolicy",
        "InProgress\n    evidence: [controller]",
        "InProgress\n    unverified: true",
        tmp_path,
    )
    entry = {
        "failed": "status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')",
        "current": "status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')",
    }
    manifest_ = manifest("kopiur.home-operations.com/v1alpha1", "SnapshotPolicy", entry)
    (found,) = lint_text(manifest_, settings=Settings(schemas=(directory,))).findings
    assert (found.rule, found.severity) == ("premature-failed", Severity.INFO)
    assert found.help.startswith("If that is intended, suppress it; otherwise ")


def test_a_pitfall_with_a_state_that_the_life_lacks_explains_nothing(tmp_path: Path) -> None:
    kibana = "kibana.k8s.elastic.co/Kibana"
    directory = _changed(kibana, "does: {red: Failed}", "does: {rde: Failed}", tmp_path)
    entry = {"failed": "status.health == 'red'", "current": "status.health == 'green'"}
    manifest_ = manifest("kibana.k8s.elastic.co/v1", "Kibana", entry)
    result = lint_text(manifest_, settings=Settings(schemas=(directory,)))
    assert not result.crashes
    assert [each.rule for each in result.findings] == ["premature-failed"]


def _changed(kind: str, old: str, new: str, to: Path) -> Path:
    """A user's directory with a kind of the catalogue that has another text."""
    text = (schemas.BUILT_IN / "kinds" / f"{kind}.yaml").read_text(encoding="utf-8")
    assert old in text
    file = to / "kinds" / f"{kind}.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text.replace(old, new))
    return to


@pytest.mark.parametrize("facts", sampled(), ids=lambda facts: f"{facts.kind}.{facts.group}")
def test_the_recommended_entry_and_its_variants_are_clean(facts: KindFacts) -> None:
    api_version = f"{facts.group}/{facts.content['crd']['versions'][0]}"
    if facts.entry:
        text = manifest(api_version, facts.kind, facts.entry)
        found = lint_text(text, settings=Settings()).findings
        assert not [each for each in found if each.rule != "core-kind"]
        assert not _promised(_findings(api_version, facts.kind, dict(facts.entry)))
    for name, variant in facts.variants.items():
        found = _promised(_findings(api_version, facts.kind, dict(variant.entry)))
        assert not [each for each in found if each.rule != "missing-failed"], name


def _promised(found: tuple[Finding, ...]) -> list[Finding]:
    return [each for each in found if each.rule in _PROMISES]


@pytest.mark.parametrize("facts", sampled(), ids=lambda facts: f"{facts.kind}.{facts.group}")
def test_pitfalls_are_reported(facts: KindFacts) -> None:
    """The states that fail or are ready too early, or in which a ready object is waited for."""
    api_version = f"{facts.group}/{facts.content['crd']['versions'][0]}"
    stages = {state.name: state.stage for state in facts.life if not state.until}
    for pitfall in facts.content.get("pitfalls", ()):
        wrong = [
            verdict
            for name, verdict in pitfall.get("does", {}).items()
            if verdict in _WRONG.get(stages.get(name, ""), ())
        ]
        entry = {r: pitfall[r] for r in ("inProgress", "failed", "current") if r in pitfall}
        if wrong and "current" in entry:
            assert _promised(_findings(api_version, facts.kind, entry)), pitfall["says"]
