"""With a cache of earlier texts, the engine finds the same as without one."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet import schemas
from celvet.lint.checks import Check, CheckedObject, check_value
from celvet.lint.crds import KnownSchemas, by_kind, of_definition
from celvet.lint.engine import FileResult, Settings, lint_text, run_rules
from celvet.lint.engine.incremental import IncrementalCache
from celvet.lint.model import Finding, Where
from celvet.lint.rules import Rule, rules
from celvet.lint.values import get
from tests import libyaml
from tests.crds.definitions import definition, fields
from tests.properties import examples
from tests.rules.every_case import every_case

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


def _said(result: FileResult) -> tuple[object, ...]:
    findings = sorted(map(repr, result.findings))
    read = [(each.value, each.validation, each.checks) for each in result.checked]
    return findings, result.crashes, result.counts, result.unknown_kinds, read


def _text(spec: dict[str, Any]) -> str:
    return _HEAD + "".join(f"  {line}\n" for line in libyaml.dump(spec).splitlines())


def _findings(rule: Rule, checked: CheckedObject, *checks: Check) -> Counter[str]:
    """The findings about only some checks, as the engine shows them to a rule."""
    return Counter(map(repr, rule.check(replace(checked, checks=checks))))


def _assert_apart(checked: CheckedObject) -> None:
    """Assert that each rule finds in all checks together what it finds in each one."""
    for rule in rules():
        general = _findings(rule, checked)
        apart = [_findings(rule, checked, check) - general for check in checked.checks]
        together = _findings(rule, checked, *checked.checks)
        assert together == sum(apart, general), rule.id


def _doubled(value: Any, checked: CheckedObject) -> Any:
    """The object with a copy, for another kind, of each check that is an element of a list."""
    value = copy.deepcopy(value)
    for check in checked.checks:
        if check.path and isinstance(check.path[-1], int):
            more = {"kind": "Another"} if "kind" in check.value else {}
            get(value, check.path[:-1]).append({**check.value, **more})
    return value


@pytest.mark.parametrize("case", every_case())
def test_no_rule_compares_two_checks(case: dict[str, Any]) -> None:
    settings = Settings(substitutions=case.get("substitute", {}))
    catalog = schemas.load()
    for checked in lint_text(case["manifest"], "", settings).checked:
        _assert_apart(checked)
        twice = check_value(_doubled(checked.value, checked), catalog)
        _assert_apart(replace(twice, schemas=checked.schemas))


def test_a_rule_that_compares_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(checked: CheckedObject) -> Iterator[Finding]:
        if len(checked.checks) == 2:
            yield Finding(message="two", where=Where(), help="")

    first, *_ = rules()
    monkeypatch.setattr(f"{__name__}.rules", lambda: (replace(first, check=check),))
    (checked,) = lint_text(_text(_TWO)).checked
    with pytest.raises(AssertionError):
        _assert_apart(checked)


@pytest.mark.parametrize("case", every_case())
def test_a_second_run_finds_the_same(case: dict[str, Any]) -> None:
    text, settings = case["manifest"], Settings(substitutions=case.get("substitute", {}))
    fresh, cache = _said(lint_text(text, "", settings)), IncrementalCache()
    assert _said(lint_text(text, "", settings, cache)) == fresh
    assert _said(lint_text(text, "", settings, cache)) == fresh


@examples(60)
@given(st.lists(_ENTRIES, min_size=2, max_size=3), st.lists(_GATES, max_size=2))
def test_no_rule_compares_any_two_checks(entries: list[Any], gates: list[Any]) -> None:
    text = _text({"wait": True, "healthCheckExprs": entries, "dependsOn": gates})
    for checked in lint_text(text).checked:
        _assert_apart(checked)


@examples(60)
@given(st.data())
def test_what_is_cached_is_what_a_full_run_finds(data: st.DataObject) -> None:
    """Entries and the text around them are added, removed, moved and changed."""
    schema = of_definition(_DEFINITION)
    assert schema
    settings = Settings(crds=KnownSchemas(by_kind([schema])))
    entries = data.draw(st.lists(_ENTRIES, max_size=3))
    gates = data.draw(st.lists(_GATES, max_size=2))
    cache, spec = IncrementalCache(), {"wait": True}
    for _ in range(4):
        whole = {**spec, "healthCheckExprs": entries, "dependsOn": gates}
        text = _text(whole)
        assert _said(lint_text(text, "", settings, cache)) == _said(lint_text(text, "", settings))
        match data.draw(st.sampled_from(["entry", "gate", "order", "around", "mistake"])):
            case "entry":
                at = data.draw(st.integers(0, len(entries)))
                entries = [*entries[:at], data.draw(_ENTRIES), *entries[at + data.draw(_COUNT) :]]
            case "gate":
                gates = data.draw(st.lists(_GATES, max_size=2))
            case "order":
                entries = entries[::-1]
            case "around":
                spec = {"wait": not spec["wait"]}
            case "mistake":
                broken = f"{text}  - ["
                cached = lint_text(broken, "", settings, cache)
                assert _said(cached) == _said(lint_text(broken, "", settings))


_COUNT = st.integers(0, 1)
_TWO = {
    "healthCheckExprs": [
        {"apiVersion": "example.com/v1", "kind": kind, "current": "statsu.ready"}
        for kind in ("Thing", "Other")
    ]
}


def test_an_entry_without_a_group() -> None:
    """Its kind is not looked up again, however often the rest changes."""
    entry = {
        "kind": "Certificate",
        **{role: _DATED.format(status) for role, status in (("current", True), ("failed", False))},
    }
    other = {"apiVersion": "a.b/v1", "kind": "Issuer", "failed": "status.a", "current": "status.b"}
    cache, settings = IncrementalCache(), Settings()
    for wait in (True, False):
        text = _text({"wait": True, "healthCheckExprs": [entry, other]})
        text = text if wait else text.replace("wait: true", "wait: true\n  wait: true")
        assert _said(lint_text(text, "", settings, cache)) == _said(lint_text(text, "", settings))


def test_a_rule_that_asks_for_kinds_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The schema is not part of the key of a check, so nothing is cached."""

    def check(checked: CheckedObject) -> Iterator[Finding]:
        for each in checked.cel:
            checked.schema_of("", str(checked.get(*each.path[:-1])["kind"]))
        yield from ()

    first, *others = rules()
    monkeypatch.setattr(run_rules, "rules", lambda: (replace(first, check=check), *others))
    cache, settings = IncrementalCache(), Settings()
    for old in ("", "Thing", "Other"):
        text = _text(_TWO).replace(old, "Changed") if old else _text(_TWO)
        assert _said(lint_text(text, "", settings, cache)) == _said(lint_text(text, "", settings))


@pytest.fixture
def shown_to_rule(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of expressions that a rule got in each run."""
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
def test_rules_run_on_changed_checks_only(
    shown_to_rule: list[int], old: str, new: str, shown: int
) -> None:
    text, settings, cache = _text(_TWO), Settings(), IncrementalCache()
    lint_text(text, "", settings, cache)
    shown_to_rule.clear()
    lint_text(text.replace(old, new, 1) if old else text, "", settings, cache)
    assert shown_to_rule == [0, shown]


def test_what_nothing_has_changed_is_the_same_object() -> None:
    text, settings, cache = _text(_TWO), Settings(), IncrementalCache()
    for each in (text, f"{text}  suspend: true\n", f"{text}  suspend: false\n"):
        before = lint_text(each, "", settings, cache)
    after = lint_text(f"{text.replace('Thing', 'Changed')}  suspend: false\n", "", settings, cache)
    (old, same), (new, kept) = before.checked[0].checks, after.checked[0].checks
    assert kept is same
    assert (old.objects[1], new.objects[1]) == ("Thing", "Changed")


def test_a_text_that_cannot_be_read_takes_nothing_from_the_next() -> None:
    text, settings, cache = _text(_TWO), Settings(), IncrementalCache()
    before = lint_text(text, "", settings, cache)
    assert lint_text(
        text.replace("kind: Other", "kind: Other\n    oops"), "", settings, cache
    ).findings
    after = lint_text(text.replace("kind: Other", "kind: Another"), "", settings, cache)
    assert after.checked[0].checks[0] is before.checked[0].checks[0]
    assert after.checked[0].checks[1].objects[1] == "Another"


def test_other_settings_and_other_schemas_count_at_once() -> None:
    cache, schema = IncrementalCache(), of_definition(_DEFINITION)
    assert schema
    text = _text({"healthCheckExprs": [{**_TWO["healthCheckExprs"][0], "current": "status.x"}]})
    for settings in (
        Settings(),
        Settings(crds=KnownSchemas(by_kind([schema]))),
        Settings(severities={"missing-failed": None}),
    ):
        assert _said(lint_text(text, "", settings, cache)) == _said(lint_text(text, "", settings))


def test_a_changed_crd_in_the_same_file_counts_at_once() -> None:
    """The settings and the check are the same, the schema of its objects is not."""
    cache, settings = IncrementalCache(), Settings()
    entry = {**_TWO["healthCheckExprs"][0], "current": "status.fase == 'x'"}
    found = []
    for status in ({"phase": {"type": "string"}}, {"fase": {"type": "string"}}):
        crd = definition(fields(status=fields(**status)), kind="Thing")
        text = _text({"healthCheckExprs": [entry]}) + "---\n" + libyaml.dump(crd)
        result = lint_text(text, "", settings, cache)
        assert _said(result) == _said(lint_text(text, "", settings))
        found.append(any(each.rule == "crd-field" for each in result.findings))
    assert found == [True, False]


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
    cache, settings = IncrementalCache(), Settings()
    for _ in range(2):
        result = lint_text(_text(_TWO), "", settings, cache)
        assert [each.error for each in result.crashes] == ["RuntimeError: boom"]
        assert _said(result) == _said(lint_text(_text(_TWO), "", settings))


def test_the_oldest_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celvet.lint.engine.incremental._MOST_CACHED", 3)
    cache, settings = IncrementalCache(), Settings()
    for number in range(5):
        lint_text(_text(_TWO).replace("statsu", f"status{number}"), "", settings, cache)
        assert len(cache._cached) <= 3
