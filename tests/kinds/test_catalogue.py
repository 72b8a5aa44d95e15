"""Each file of the catalogue of kinds is well formed, and its entry is right in all states."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from celvet.schemas.facts_reader.family import member_content
from celvet.schemas.facts_reader.read import whole
from celvet.schemas.known_kinds import object_of
from tests.kinds.folding import KINDS, by_kstatus, folded, holds, refusals
from tests.properties import sample

SCHEMA = json.loads((KINDS / "kind.schema.json").read_text())
_VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
FILES = sample(sorted(KINDS.glob("*/*.yaml")))
ROLES = ("inProgress", "failed", "current")
_ON_THE_WAY = ("fresh", "coming")


class _Strict(yaml.CSafeLoader):
    """Refuses a key that is duplicate or not a string; reads a date as a string, as JSON does."""


def _mapping(loader: _Strict, node: yaml.MappingNode) -> dict[Any, Any]:
    loader.flatten_mapping(node)
    keys = [loader.construct_object(key, deep=True) for key, _ in node.value]  # type: ignore[no-untyped-call]
    assert len(set(keys)) == len(keys), f"{node.start_mark}: a key appears twice in {keys}"
    assert all(isinstance(key, str) for key in keys), f"{node.start_mark}: quote each of {keys}"
    return loader.construct_mapping(node, deep=True)


_Strict.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)
_Strict.yaml_implicit_resolvers = {
    letter: [(tag, form) for tag, form in known if tag != "tag:yaml.org,2002:timestamp"]
    for letter, known in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


@cache
def _read(file: Path) -> dict[str, Any]:
    content = yaml.load(file.read_text(), Loader=_Strict)
    assert isinstance(content, dict)
    found: dict[str, Any] = whole(file, content)
    return found


@pytest.fixture(params=FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def file(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.fixture(params=FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def kind(request: pytest.FixtureRequest) -> dict[str, Any]:
    content = _read(request.param)
    if "members" not in content:
        return content
    name, _, group = content["members"]["example"].partition(".")
    return member_content(content, group, name)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_a_file_is_well_formed(file: Path) -> None:
    content = _read(file)
    problems = [f"{error.json_path}: {error.message}" for error in _VALIDATOR.iter_errors(content)]
    assert not problems
    if "members" not in content:
        assert (content["group"] or "core", content["kind"]) == (file.parent.name, file.stem)


def test_no_entry_is_written_twice_in_a_group() -> None:
    files: dict[tuple[str, ...], list[str]] = {}
    for file in sorted(KINDS.glob("*/*.yaml")):
        entry = yaml.load(file.read_text(), Loader=_Strict).get("entry", {})
        if "current" in entry:
            texts = (" ".join(entry.get(role, "").split()) for role in ROLES)
            files.setdefault((file.parent.name, *texts), []).append(file.stem)
    assert not [names for names in files.values() if len(names) > 1], "write `like: KIND`"


def test_evidence_named_is_there_and_used(kind: dict[str, Any]) -> None:
    used = {name for claim in _claims(kind) for name in claim.get("evidence", ())}
    assert used == set(kind["evidence"])


def test_a_claim_rests_on_evidence_or_says_that_it_does_not(kind: dict[str, Any]) -> None:
    if kind["source"]["basis"] != "read":
        return
    claims = {
        **{f"conditions.{name}": claim for name, claim in kind.get("conditions", {}).items()},
        **{
            f"{path}.{name}": claim
            for path, types in kind.get("nestedConditions", {}).items()
            for name, claim in types.items()
        },
        **{claim["path"]: claim for claim in (*kind.get("phases", ()), *kind.get("facts", ()))},
        "observedGeneration": kind["observedGeneration"],
        "failure": kind["failure"],
    }
    assert not [n for n, claim in claims.items() if not {"evidence", "unverified"} & claim.keys()]


def test_states_are_distinguished(kind: dict[str, Any]) -> None:
    names = [state["name"] for state in kind["life"]]
    assert len(set(names)) == len(names)
    assert not {*names} & {*ROLES}, "a message could mean the state or the expression"
    # If only errors are written for a kind, a new object is ready.
    assert kind["life"][0]["stage"] in ("fresh", "ready")
    assert "ready" in {state["stage"] for state in kind["life"]}
    named = [
        *(
            name
            for variant in kind.get("variants", {}).values()
            for name in variant.get("differs", ())
        ),
        *(name for pitfall in kind.get("pitfalls", ()) for name in pitfall.get("does", ())),
    ]
    assert set(named) <= set(names)


def test_the_life_gets_the_right_verdicts(kind: dict[str, Any]) -> None:
    """Ready objects are Current, only lasting failures Failed, and all others neither."""
    for state in kind["life"]:
        if state["stage"] in _ON_THE_WAY:
            assert state["verdict"] == "InProgress", state["name"]
        if state["stage"] == "ready":
            assert state["verdict"] == "Current", state["name"]
        if state["verdict"] == "Failed":
            assert state["stage"] == "failing", state["name"]
            assert kind["failure"]["exists"], state["name"]


def test_the_status_of_a_condition_is_a_text(kind: dict[str, Any]) -> None:
    """`status: True` without quotes is a boolean, which no controller writes there."""
    for state in kind["life"]:
        for condition in state.get("status", {}).get("conditions", ()):
            assert isinstance(condition.get("status", ""), str), state["name"]


def test_flux_accepts_every_expression(kind: dict[str, Any]) -> None:
    texts = [entry[role] for _, entry, _ in _entries(kind) for role in ROLES if role in entry]
    assert not [reason for text in texts for reason in refusals(text)]


def test_entries_are_right_on_each_state(kind: dict[str, Any]) -> None:
    wrong = []
    for name, entry, differs in _entries(kind):
        for state in kind["life"]:
            expected = differs.get(state["name"], state["verdict"])
            verdict, error = folded(entry, object_of(kind, state))
            # CEL can test everything except whether `status` itself exists.
            if "status" not in state and error and expected == "InProgress":
                continue
            if (verdict, error) != (expected, ""):
                wrong.append(f"{name}, {state['name']}: {verdict} {error}, not {expected}")
    assert not wrong


def test_failed_is_true_of_nothing_else(kind: dict[str, Any]) -> None:
    for name, entry, differs in _entries(kind):
        for state in kind["life"]:
            expected = differs.get(state["name"], state["verdict"])
            obj = object_of(kind, state)
            if "failed" in entry and expected != "Failed" and not _outdated(obj):
                assert not holds(entry["failed"], obj), f"{name}, {state['name']}"


def test_kstatus_is_enough_where_it_is_said_to_be(kind: dict[str, Any]) -> None:
    said = {state["name"]: by_kstatus(object_of(kind, state)) for state in kind["life"]}
    wrong = {s["name"]: said[s["name"]] for s in kind["life"] if said[s["name"]] != s["verdict"]}
    assert kind["kstatus"]["enough"] == (not wrong), wrong
    assert kind["kstatus"]["enough"] or "entry" in kind


def test_a_pitfall_is_one(kind: dict[str, Any]) -> None:
    wrong = []
    for pitfall in kind.get("pitfalls", ()):
        entry = {role: pitfall[role] for role in ROLES if role in pitfall}
        for state in kind["life"]:
            expected = pitfall.get("does", {}).get(state["name"])
            if expected is None:
                continue
            verdict, error = folded(entry, object_of(kind, state))
            right = state["verdict"]
            if verdict != expected or verdict == right:
                wrong.append(
                    f"{state['name']}: {verdict} {error}, not {expected}, right is {right}"
                )
    assert not wrong


def _entries(kind: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, str], Mapping[str, str]]]:
    """The recommended entry and its variants, with the states that a variant judges differently."""
    if "entry" not in kind:
        return
    recommended = {role: kind["entry"][role] for role in ROLES if role in kind["entry"]}
    yield "entry", recommended, {}
    for name, variant in kind.get("variants", {}).items():
        own = {**recommended, **{role: variant[role] for role in ROLES if role in variant}}
        differs = variant.get("differs", {})
        yield name, {role: text for role, text in own.items() if text is not None}, differs


def _claims(value: Any) -> Iterator[Mapping[str, Any]]:
    """All mappings in a value, except the table of evidence and the objects of the life."""
    if isinstance(value, Mapping):
        if isinstance(value.get("evidence"), list):
            yield value
        for key, part in value.items():
            if key not in ("status", "object") or not isinstance(part, Mapping):
                yield from _claims(part)
    elif isinstance(value, list):
        for part in value:
            yield from _claims(part)


def _outdated(obj: Mapping[str, Any]) -> bool:
    observed = obj.get("status", {}).get("observedGeneration")
    return isinstance(observed, int) and observed != obj["metadata"]["generation"]
