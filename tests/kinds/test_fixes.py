"""Entries that people write are right in all states of the kind after fixes and help."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

from celvet.lint.crds import KnownSchemas, of_definition
from celvet.lint.engine import Settings, lint_text
from celvet.lint.engine.fix import fix
from celvet.lint.explain.pages import pages
from celvet.lint.locate import Locator
from celvet.lint.locate.changes import edits
from celvet.lint.locate.edits import apply_edits
from celvet.lint.model import Finding
from celvet.schemas.facts import KindFacts
from tests import libyaml
from tests.kinds.folding import by_kstatus, folded
from tests.kinds.known import facts_of, manifest, sampled
from tests.properties import sample
from tests.rules.claims import refuted_claims
from tests.tables import read_table

_OFTEN_WRONG = read_table(Path(__file__).with_name("often_wrong.yaml"))
_KEPT = {"x-kubernetes-preserve-unknown-fields": True}
_ROLES = ("inProgress", "failed", "current")
_EARLY: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("fresh", "coming", "transient"), ("Failed", "Current")),
    "ready": ("Failed",),
}
"""The verdicts that end a wait too early, by stages of a life."""
_WARNINGS = {"premature-failed", "premature-current", "never-true", "core-kind"}
_PROPOSED = re.compile(r"[Ww]rite `(?:(inProgress|failed|current): )?([^`]+)`(?! for `)")
_SUGGESTED = re.compile(r"that `celvet suggest [\w.-]+(?: --variant (?P<variant>\w+))?` prints")
_REMOVED = re.compile(r"[Rr]emove `(\w+)`")


def _manifest(facts: KindFacts, entry: dict[str, str]) -> bytes:
    api_version = f"{facts.group}/{facts.content['crd']['versions'][0]}".lstrip("/")
    return manifest(api_version, facts.kind, entry)


def _entry_of(text: str) -> dict[str, str]:
    """The only entry of a manifest; empty if it was removed."""
    (entry,) = libyaml.load(text)["spec"].get("healthCheckExprs", [{}])
    return {role: entry[role] for role in _ROLES if role in entry}


def _wrong(facts: KindFacts, entry: dict[str, str]) -> set[tuple[str, str]]:
    """The states that get a wrong verdict, with that verdict; an error waits like `InProgress`.

    Without an entry, those that kstatus misjudges.
    """
    found = set()
    for state in facts.life:
        said = folded(entry, state.object)[0] if entry else by_kstatus(state.object)
        verdict = said.replace("Unknown", "InProgress")
        if not state.until and verdict != state.verdict:
            found.add((state.name, verdict))
    return found


def _entries(*sources: Callable[[KindFacts], Iterator[dict[str, str]]]) -> Sequence[Any]:
    """The entries for each kind as parameters; in `make quick`, a few for each tenth kind."""
    return sample(
        [
            pytest.param(facts, entry, id=f"{facts.kind}.{facts.group}-{number}")
            for facts in sampled()
            for number, entry in enumerate(chain(*(source(facts) for source in sources)))
        ]
    )


def _pitfalls(facts: KindFacts) -> Iterator[dict[str, str]]:
    for each in facts.content.get("pitfalls", ()):
        if "current" in each:
            yield {role: each[role] for role in _ROLES if role in each}


def _usual(facts: KindFacts) -> Iterator[dict[str, str]]:
    """Entries that people write for any kind, with the first condition and phase of this one."""
    for type_ in [*facts.content.get("conditions", {})][:1]:
        ready = f"status.conditions.exists(e, e.type == '{type_}' && e.status == 'True')"
        broken = ready.replace("'True'", "'False'")
        yield {"failed": broken, "current": ready}
        yield {"failed": f"!({ready})", "current": ready}
        yield {"inProgress": f"!({ready})", "failed": broken, "current": ready}
        yield {"inProgress": broken, "current": ready}
    for phase in facts.phases[:1]:
        ready = f"{phase.path} == '{next(iter(phase.values))}'"
        other = ready.replace("==", "!=")
        yield {"inProgress": other, "failed": f"{phase.path} == 'Failed'", "current": ready}
        yield {"inProgress": other, "failed": other, "current": ready}


every_wrong_entry = pytest.mark.parametrize(("facts", "entry"), _entries(_pitfalls, _usual))


@every_wrong_entry
def test_a_fix_adds_no_wrong_verdict(facts: KindFacts, entry: dict[str, str]) -> None:
    done = fix(_manifest(facts, entry), "a.yaml", Settings(), unsafe=False)
    after = _entry_of(done.after)
    before = _wrong(facts, entry)
    assert _wrong(facts, after) <= before
    # What `inProgress` hides is not among the verdicts.
    better = _wrong(facts, after) < before or "inProgress" in entry
    assert not done.titles or better or after.keys() < entry.keys()
    assert fix(done.after.encode(), "a.yaml", Settings(), unsafe=False).titles == ()
    assert not _early(facts, after) or _warned(done.after.encode())
    if not facts.fails and _fails_on_the_way(facts, after):
        found = lint_text(done.after.encode(), settings=Settings()).findings
        assert any(re.search("[Rr]emove (`failed`|the entry)", each.help) for each in found)


def _early(facts: KindFacts, entry: dict[str, str]) -> set[tuple[str, str]]:
    """The states in which an entry decides too early, apart from the choices of variants."""
    stages = {state.name: state.stage for state in facts.life}
    return {each for each in _unwanted(facts, entry) if each[1] in _EARLY.get(stages[each[0]], ())}


def _unwanted(facts: KindFacts, entry: dict[str, str]) -> set[tuple[str, str]]:
    """The states that get a wrong verdict which no variant chooses."""
    chosen = {each for one in facts.variants.values() for each in one.differs.items()}
    return _wrong(facts, entry) - chosen


def _fails_on_the_way(facts: KindFacts, entry: dict[str, str]) -> bool:
    """Whether an entry fails on an object that is not even in difficulties."""
    stages = {state.name: state.stage for state in facts.life}
    wrong = _wrong(facts, entry)
    return any(v == "Failed" and stages[name] in ("fresh", "coming", "ready") for name, v in wrong)


def _warned(text: bytes) -> bool:
    found = lint_text(text, settings=Settings()).findings
    return bool({each.rule for each in found} & _WARNINGS)


@every_wrong_entry
def test_no_state_refutes_a_message(facts: KindFacts, entry: dict[str, str]) -> None:
    for page in pages(lint_text(_manifest(facts, entry), settings=Settings())):
        assert [*refuted_claims(page)] == []


_SPELLING = re.compile("Write (?!`exists`)")

_OWN_TESTS = {"failed": " || status.ownTest == 'no'", "current": " && status.ownTest == 'yes'"}
"""What an author tests besides, in a field that no recommended expression reads."""


@every_wrong_entry
def test_a_safe_fix_loosens_nothing(facts: KindFacts, entry: dict[str, str]) -> None:
    """No object passes only after a fix, and none fails that passed before."""
    own_entry = {role: f"({text}){_OWN_TESTS.get(role, '')}" for role, text in entry.items()}
    for old_entry in (entry, own_entry):
        fixed = fix(_manifest(facts, old_entry), "a.yaml", Settings(), unsafe=False)
        new_entry = _entry_of(fixed.after)
        if any(map(_SPELLING.match, fixed.titles)) or new_entry == old_entry:
            continue  # a misspelt word is true of nothing, and the right one of something
        assert new_entry, "an entry that is removed holds nothing back"
        for obj in _combined_objects(facts):
            before, after = (folded(texts, obj)[0] for texts in (old_entry, new_entry))
            assert after != "Current" or before in ("Current", "Unknown"), (obj, new_entry)
            assert (before, after) != ("Current", "Failed"), (obj, new_entry)


def _combined_objects(facts: KindFacts) -> Iterator[Any]:
    """The states of a life, and the conditions of one with the other fields of another one."""
    objects = [state.object for state in facts.life if isinstance(state.object.get("status"), dict)]
    for one, other in [*((obj, obj) for obj in objects), *pairwise(objects)]:
        conditions = {
            key: value for key, value in one["status"].items() if key.startswith("conditions")
        }
        for own_test in ({}, {"ownTest": "yes"}, {"ownTest": "no"}):
            yield {**other, "status": {**other["status"], **conditions, **own_test}}


@every_wrong_entry
def test_a_fix_leaves_comments_and_layout(facts: KindFacts, entry: dict[str, str]) -> None:
    head, end, tail = _manifest(facts, {}).decode().partition("  timeout:")
    written = "".join(
        f'    # of {role}\n    {role}:   "{text}"   # after {role}\n'
        for role, text in entry.items()
    )
    text = f"{head}{written}{end}{tail}"
    done = fix(text.encode(), "a.yaml", Settings(), unsafe=False)
    assert done.after.startswith(head)
    assert done.after.endswith(end + tail)
    for role in _entry_of(done.after).keys() & entry.keys():
        assert f"    # of {role}\n    {role}:   " in done.after
        assert f"   # after {role}\n" in done.after


def test_the_recommended_entry_need_not_compare_what_flux_compares() -> None:
    """Kafka has the observed generation in its status."""
    facts = facts_of("kafka.strimzi.io", "Kafka")
    entry = {
        "failed": "status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'False')",
        "current": "status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'True')",
    }
    done = fix(_manifest(facts, entry), "a.yaml", Settings(), unsafe=True)
    assert _entry_of(done.after) == facts.entry


@pytest.mark.parametrize("case", sample(_OFTEN_WRONG), ids=lambda case: case["name"])
def test_what_is_often_wrong_is_reported_and_right_after_its_fixes(case: dict[str, Any]) -> None:
    """Fixes that may change what was meant are unsafe; all of them together leave nothing wrong."""
    facts = facts_of(case["apiVersion"].rpartition("/")[0], case["kind"])
    text = manifest(case["apiVersion"], case["kind"], case["entry"])
    assert _wrong(facts, case["entry"])
    found = lint_text(text, settings=Settings()).findings
    said = [(each.rule, str(each.where.path[-1]), _words(each)) for each in found]
    for wanted, role, words in case["findings"]:
        assert any((wanted, role) == each[:2] and words in each[2] for each in said), wanted
    done = fix(text, "a.yaml", Settings(), unsafe=True)
    assert _unwanted(facts, _entry_of(done.after)) == set()


def _helped(facts: KindFacts, entry: dict[str, str], finding: Finding) -> dict[str, str]:
    """An entry after the help of a finding; what `celvet suggest` prints is taken."""
    after = dict(entry)
    if match := _SUGGESTED.search(finding.help):
        suggested = facts.variants[match["variant"]].entry if match["variant"] else facts.entry
        for role in _ROLES:
            if f"`{role}`" in finding.help[: match.start()]:
                after[role] = suggested[role]
        return after
    for role, text in _PROPOSED.findall(finding.help):
        after[role or str(finding.where.path[-1])] = text
    for role in _REMOVED.findall(finding.help):
        after.pop(role, None)
    return after


def _words(finding: Finding) -> str:
    """A message, and the state that proves it."""
    counterexample = finding.counterexample
    return f"{finding.message} {counterexample.description if counterexample else ''}"


@pytest.mark.parametrize("case", sample(_OFTEN_WRONG), ids=lambda case: case["name"])
def test_help_for_all_findings_leaves_no_state_wrong(case: dict[str, Any]) -> None:
    facts = facts_of(case["apiVersion"].rpartition("/")[0], case["kind"])
    after = dict(case["entry"])
    text = manifest(case["apiVersion"], case["kind"], case["entry"])
    for found in lint_text(text, settings=Settings()).findings:
        after = _helped(facts, after, found)
        if found.help.startswith("Remove the entry"):
            after.clear()
    assert _unwanted(facts, after) == set()


@every_wrong_entry
def test_help_in_the_place_of_what_it_is_about_adds_none(
    facts: KindFacts, entry: dict[str, str]
) -> None:
    """All help for one entry is applied together, as a user would."""
    after = dict(entry)
    for found in lint_text(_manifest(facts, entry), settings=Settings()).findings:
        after = _helped(facts, after, found)
    before = _wrong(facts, entry)
    ends = {each for each in _wrong(facts, after) if each[1] in ("Failed", "Current")}
    # An update that was judged as a failure may be judged by the old version instead.
    updating = {state.name for state in facts.life if state.stage == "updating"}
    assert {each for each in ends - before if each[0] not in updating} == set()


@every_wrong_entry
def test_help_for_one_finding_adds_none(facts: KindFacts, entry: dict[str, str]) -> None:
    before = _wrong(facts, entry)
    for found in lint_text(_manifest(facts, entry), settings=Settings()).findings:
        after = dict(entry)
        after = _helped(facts, after, found)
        ends = {each for each in _wrong(facts, after) if each[1] in ("Failed", "Current")}
        assert ends <= before, found.help
        assert not _early(facts, after) or _warned(_manifest(facts, after)), found.help


every_pitfall = pytest.mark.parametrize(("facts", "entry"), _entries(_pitfalls))


@every_pitfall
def test_one_fix_or_two_of_several_add_no_wrong_verdict(
    facts: KindFacts, entry: dict[str, str]
) -> None:
    """In an editor, a user chooses; two fixes that touch each other cannot be made together."""
    data = _manifest(facts, entry)
    result = lint_text(data, settings=Settings(fixes=True))
    assert result.manifest
    locator = Locator(result.manifest)
    found = dict.fromkeys(each.fix for each in result.findings if each.fix)
    placed = [edits(each, result.manifest, locator) for each in found]
    before = _wrong(facts, entry)
    for chosen in (*combinations(placed, 1), *combinations(placed, 2)):
        changes = [each for one in chosen for each in one]
        spans = sorted(each.span for each in changes)
        if any(second.start <= first.end for first, second in pairwise(spans)):
            continue
        after = _entry_of(apply_edits(data.decode(), changes))
        ends = {each for each in _wrong(facts, after) if each[1] in ("Failed", "Current")}
        assert ends <= before


@every_pitfall
def test_without_the_catalogue_a_fix_ends_no_wait_too_early(
    facts: KindFacts, entry: dict[str, str]
) -> None:
    """The same kind in a group that nobody knows, with a CRD that has its phases."""
    version = facts.content["crd"]["versions"][0]
    phases = {
        each.path.removeprefix("status."): {"type": "string", "enum": [*each.values]}
        for each in facts.phases
        if each.path.count(".") == 1
    }
    listed = {"type": "array", "items": {"type": "object", **_KEPT}}
    status = {"type": "object", "properties": {**phases, "conditions": listed}, **_KEPT}
    root = {"type": "object", "properties": {"status": status}, **_KEPT}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {
            "group": "unknown.example",
            "names": {"kind": facts.kind},
            "versions": [{"name": version, "served": True, "schema": {"openAPIV3Schema": root}}],
        },
    }
    schema = of_definition(definition)
    assert schema
    settings = Settings(crds=KnownSchemas({schema.group_kind: schema}))
    data = manifest(f"unknown.example/{version}", facts.kind, entry)
    done = fix(data, "a.yaml", settings, unsafe=False)
    after = _entry_of(done.after)
    # Without an `inProgress` that never ends, an update is judged by the old status.
    updating = {state.name for state in facts.life if state.stage == "updating"}
    added = _wrong(facts, after) - _wrong(facts, entry)
    ends = {each for each in added if each[1] in ("Failed", "Current")}
    assert {each for each in ends if each[0] not in updating} == set()
