"""With a memory of earlier texts the engine says what it says without one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.checks import CheckedObject
from celvet.lint.crds import KnownSchemas, by_kind, of_definition
from celvet.lint.engine import FileResult, Settings, lint_text, run_rules
from celvet.lint.engine.incremental import Memory
from celvet.lint.model import Finding
from celvet.lint.rules import rules
from tests.crds.definitions import definition
from tests.properties import examples

_CASES = Path(__file__).parents[1] / "rules"
_HEAD = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: certs}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
"""
_EXPRESSIONS = (
    "status.ready",
    "dep.ready",
    "status.phase == 'Ready' &&",
    "status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'False')",
    "self.status.phase == 'Ready'",
    "status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')",
    "status.nothing == 'x'",
    "has(status.a) || status.a == 'x' || statsu == 1",
)
_ENTRIES = st.builds(
    lambda version, kind, texts: {**version, "kind": kind, **texts},
    st.sampled_from([{"apiVersion": "example.com/v1"}, {"group": "example.com"}, {}]),
    st.sampled_from(["Thing", "Other", "Pod", 1]),
    st.dictionaries(
        st.sampled_from(["current", "failed", "inProgress", "curent"]),
        st.sampled_from(_EXPRESSIONS),
        min_size=1,
    ),
)
_DATED = "status.conditions.exists(e, e.type == 'Ready' && e.status == '{}')"
_GATES = st.builds(
    lambda text: {"name": "a", "readyExpr": text, "ready": True}, st.sampled_from(_EXPRESSIONS)
)
_DEFINITION = definition(kind="Thing")


def _said(result: FileResult) -> tuple[list[str], object, object, object]:
    findings = sorted(map(repr, result.findings))
    return findings, result.crashes, result.counts, result.unknown_kinds


def _text(spec: dict[str, Any]) -> str:
    return _HEAD + "".join(f"  {line}\n" for line in yaml.safe_dump(spec).splitlines())


def _cases() -> Iterator[Any]:
    for path in sorted(_CASES.glob("*.yaml")):
        for case in yaml.safe_load(path.read_text(encoding="utf-8")):
            yield pytest.param(case, id=f"{path.stem}: {case['name']}")


@pytest.mark.parametrize("case", list(_cases()))
def test_every_rule_looks_at_one_entry_after_the_other(case: dict[str, Any]) -> None:
    """A rule that compared entries would be wrong once one of them is remembered."""
    text, settings = case["manifest"], Settings(substitutions=case.get("substitute", {}))
    fresh, memory = _said(lint_text(text, "", settings)), Memory()
    assert _said(lint_text(text, "", settings, memory)) == fresh
    assert _said(lint_text(text, "", settings, memory)) == fresh


@examples(60)
@given(st.data())
def test_what_is_remembered_is_what_would_be_said(data: st.DataObject) -> None:
    """Entries are added, removed, moved and changed, and so is what stands around them."""
    schema = of_definition(_DEFINITION)
    assert schema
    settings = Settings(crds=KnownSchemas(by_kind([schema])))
    entries = data.draw(st.lists(_ENTRIES, max_size=3))
    gates = data.draw(st.lists(_GATES, max_size=2))
    memory, spec = Memory(), {"wait": True}
    for _ in range(4):
        whole = {**spec, "healthCheckExprs": entries, "dependsOn": gates}
        text = _text(whole)
        assert _said(lint_text(text, "", settings, memory)) == _said(lint_text(text, "", settings))
        match data.draw(st.sampled_from(["entry", "gate", "order", "around"])):
            case "entry":
                at = data.draw(st.integers(0, len(entries)))
                entries = [*entries[:at], data.draw(_ENTRIES), *entries[at + data.draw(_COUNT) :]]
            case "gate":
                gates = data.draw(st.lists(_GATES, max_size=2))
            case "order":
                entries = entries[::-1]
            case "around":
                spec = {"wait": not spec["wait"]}


_COUNT = st.integers(0, 1)
_TWO = {
    "healthCheckExprs": [
        {"apiVersion": "example.com/v1", "kind": kind, "current": "statsu.ready"}
        for kind in ("Thing", "Other")
    ]
}


def test_an_entry_without_a_group() -> None:
    """Its kind alone is never looked up, however often the rest changes."""
    entry = {
        "kind": "Certificate",
        **{role: _DATED.format(status) for role, status in (("current", True), ("failed", False))},
    }
    other = {"apiVersion": "a.b/v1", "kind": "Issuer", "failed": "status.a", "current": "status.b"}
    memory, settings = Memory(), Settings()
    for wait in (True, False):
        text = _text({"wait": True, "healthCheckExprs": [entry, other]})
        text = text if wait else text.replace("wait: true", "wait: true\n  wait: true")
        assert _said(lint_text(text, "", settings, memory)) == _said(lint_text(text, "", settings))


def test_a_rule_that_asks_for_kinds_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it is told is no part of what is remembered of an entry, so nothing is."""

    def check(checked: CheckedObject) -> Iterator[Finding]:
        for each in checked.cel:
            checked.schema_of("", str(checked.get(*each.path[:-1])["kind"]))
        yield from ()

    first, *others = rules()
    monkeypatch.setattr(run_rules, "rules", lambda: (replace(first, check=check), *others))
    memory, settings = Memory(), Settings()
    for old in ("", "Thing", "Other"):
        text = _text(_TWO).replace(old, "Changed") if old else _text(_TWO)
        assert _said(lint_text(text, "", settings, memory)) == _said(lint_text(text, "", settings))


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many expressions a rule was shown each time."""
    counts: list[int] = []

    def check(checked: CheckedObject) -> Iterator[Finding]:
        counts.append(len([*checked.cel]))
        yield from ()

    counting = [replace(each, check=check) for each in rules()[:1]]
    monkeypatch.setattr(run_rules, "rules", lambda: tuple(counting))
    return counts


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [("", "", 0), ("Thing", "Changed", 1), ("1h", "2h", 2)],
    ids=["nothing", "an entry", "what stands around them"],
)
def test_only_what_has_changed_is_judged(judged: list[int], old: str, new: str, shown: int) -> None:
    text, settings, memory = _text(_TWO), Settings(), Memory()
    lint_text(text, "", settings, memory)
    judged.clear()
    lint_text(text.replace(old, new, 1) if old else text, "", settings, memory)
    assert judged == [0, shown]


def test_other_settings_and_other_schemas_count_at_once() -> None:
    memory, schema = Memory(), of_definition(_DEFINITION)
    assert schema
    text = _text({"healthCheckExprs": [{**_TWO["healthCheckExprs"][0], "current": "status.x"}]})
    for settings in (
        Settings(),
        Settings(crds=KnownSchemas(by_kind([schema]))),
        Settings(severities={"missing-failed": None}),
    ):
        assert _said(lint_text(text, "", settings, memory)) == _said(lint_text(text, "", settings))


@pytest.mark.parametrize("always", [True, False], ids=["always", "on expressions"])
def test_a_failing_rule_is_reported_every_time(
    monkeypatch: pytest.MonkeyPatch, always: bool
) -> None:
    def crash(checked: CheckedObject) -> Iterator[Finding]:
        if always or any(checked.cel):
            raise RuntimeError("boom")
        yield from ()

    broken = [replace(each, check=crash) if each.id == "cel-type" else each for each in rules()]
    monkeypatch.setattr(run_rules, "rules", lambda: tuple(broken))
    memory, settings = Memory(), Settings()
    for _ in range(2):
        result = lint_text(_text(_TWO), "", settings, memory)
        assert [each.error for each in result.crashes] == ["RuntimeError: boom"]
        assert _said(result) == _said(lint_text(_text(_TWO), "", settings))


def test_the_oldest_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celvet.lint.engine.incremental._MOST_REMEMBERED", 3)
    memory, settings = Memory(), Settings()
    for number in range(5):
        lint_text(_text(_TWO).replace("statsu", f"status{number}"), "", settings, memory)
        assert len(memory._said) <= 3
