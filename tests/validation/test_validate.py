from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from celvet.lint.model import Path, Severity
from celvet.lint.validation import validate
from celvet.lint.validation.keywords import NOTES, keyword_results
from celvet.lint.validation.result import KeywordResult
from celvet.schemas import Kind, load

CATALOG = load()
KINDS = st.sampled_from(CATALOG.kinds)


def kind_of(name: str) -> Kind:
    return next(kind for kind in CATALOG.kinds if kind.kind == name)


def names_in(schema: Any) -> set[str]:
    if isinstance(schema, dict):
        names = set(schema.get("properties", {})) | set(schema.get("x-mistaken", {}))
        return names.union(*map(names_in, schema.values()))
    return set().union(*map(names_in, schema)) if isinstance(schema, list) else set()


FIELDS = sorted(set().union(*(names_in(kind.schema) for kind in CATALOG.kinds)))
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["In", "v1", "a.io/v1", "${X}", "ENC[AES256_GCM,data:x]"])
)
OBJECTS = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=8), inner, max_size=6)
    ),
    max_leaves=25,
)


@given(KINDS, OBJECTS, st.booleans())
def test_any_value_is_inspected(kind: Kind, value: Any, partial: bool) -> None:
    for spec in (value, {"apiVersion": f"{kind.group}/v1", "kind": kind.kind, "spec": value}):
        validation = validate(spec, kind, CATALOG, partial=partial)
        for site in validation.sites:
            assert at(spec, site.path) == site.text
        for violation in validation.violations:
            at(spec, violation.path)
            assert violation.message[0].islower() or violation.message[0] == "`"
            assert not violation.message.endswith(".")
        for key in validation.unknown_fields:
            assert key.name in at(spec, key.path[:-1])
            assert key.help.endswith(".")


def at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


@given(st.randoms(use_true_random=False))
def test_the_order_of_keys_changes_nothing_but_the_order(shuffler: random.Random) -> None:
    entry = {"apiVersion": "a.io/v1", "kind": "A", "inProgress": "1", "failed": "2", "current": "3"}
    gate = {"name": "x", "readyExpr": "4"}
    spec = {"wait": True, "healthCheckExprs": [entry, dict(entry, kind="B")], "dependsOn": [gate]}
    value = shuffled({"kind": "Kustomization", "spec": spec}, shuffler)
    site_paths = [site.path for site in validate(value, kind_of("Kustomization"), CATALOG).sites]
    in_document = [path for path in leaves(value) if path[-1] in CATALOG_ROLES]
    assert site_paths == in_document


CATALOG_ROLES = ("inProgress", "failed", "current", "readyExpr")


def shuffled(value: Any, shuffler: random.Random) -> Any:
    if isinstance(value, list):
        return [shuffled(item, shuffler) for item in value]
    if not isinstance(value, dict):
        return value
    keys = list(value)
    shuffler.shuffle(keys)
    return {key: shuffled(value[key], shuffler) for key in keys}


def leaves(value: Any, path: Path = ()) -> list[Path]:
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        return [leaf for key, item in pairs for leaf in leaves(item, (*path, key))]
    return [path]


def nested(depth: int) -> Any:
    value: Any = {}
    for _ in range(depth):
        value = {"a": [value]}
    return value


@pytest.mark.slow
@pytest.mark.parametrize("kind", CATALOG.kinds, ids=str)
def test_depth_does_no_harm_anywhere(kind: Kind) -> None:
    deep = nested(100_000)
    specs = [
        spec
        for field in names_in(kind.schema)
        for spec in (
            {field: deep},
            {"health": [{field: deep}], "steps": [{field: deep}]},
            {"healthCheckExprs": [{field: deep}], field: [deep]},
        )
    ]
    for value in (deep, *({"spec": spec} for spec in specs)):
        validation = validate(value, kind, CATALOG)
        assert all(len(violation.message) < 2_000 for violation in validation.violations)


@pytest.mark.slow
def test_a_hostile_amount_is_cut_off_and_said_so() -> None:
    value: Any = {"spec": {"healthCheckExprs": [{} for _ in range(50_000)]}}
    validation = validate(value, kind_of("Kustomization"), CATALOG)
    assert len(validation.violations) < 20_000
    assert validation.violations[-1].path == ()
    assert "the rest is not checked" in validation.violations[-1].message
    assert validation.violations[-1].severity is Severity.WARNING


def test_many_unknown_keys_are_not_all_reported() -> None:
    entry = {f"currant{index}": "x" for index in range(5_000)}
    validation = validate(
        {"spec": {"healthCheckExprs": [entry]}}, kind_of("Kustomization"), CATALOG
    )
    assert 0 < len(validation.unknown_fields) <= 100


def test_long_texts_are_cut_in_messages() -> None:
    text = "`" + "x\n" * 100_000
    fields = [{"key": "a", "operator": text, text: text}]
    rule = {"multiMatch": {"healthy": {"matchFields": fields}, "unhealthy": {}}}
    validation = validate({"spec": {"healthRule": rule}}, kind_of("ClusterTemplate"), CATALOG)
    messages = [item.message for item in validation.violations]
    for message in messages + [key.message for key in validation.unknown_fields]:
        assert len(message) < 300
        assert "\n" not in message


def test_keys_that_are_no_strings_are_left_alone() -> None:
    value: Any = {1: 2, "spec": {3: 4, None: 5, "healthCheckExprs": [{True: 1}]}}
    validation = validate(value, kind_of("Kustomization"), CATALOG)
    assert not validation.unknown_fields


@pytest.mark.parametrize(
    ("keyword", "limit", "within", "beyond"),
    [
        ("minLength", 2, "ab", "a"),
        ("maxLength", 2, "ab", "abc"),
        ("minItems", 2, [1, 2], [1]),
        ("maxItems", 2, [1, 2], [1, 2, 3]),
        ("minProperties", 1, {"a": 1}, {}),
        ("maxProperties", 1, {"a": 1}, {"a": 1, "b": 2}),
        ("minimum", 1, 1, 0),
        ("maximum", 1, 1, 2),
    ],
)
def test_a_limit_is_within_itself(keyword: str, limit: int, within: Any, beyond: Any) -> None:
    broken = [
        [*keyword_results({keyword: limit}, value, partial=False)] for value in (within, beyond)
    ]
    assert [[result.keyword for result in results] for results in broken] == [[], [keyword]]


PRESENT = st.recursive(
    st.booleans() | st.integers() | st.sampled_from(["In", "v1", "a.io/v1", "1m", "", "a b"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=6)
    ),
    max_leaves=25,
)
"""Objects without null, which the API server reads as absent, unlike jsonschema."""


@given(KINDS, PRESENT)
def test_what_is_refused_is_what_jsonschema_refuses(kind: Kind, spec: Any) -> None:
    value = {"apiVersion": f"{kind.group}/v1", "kind": kind.kind, "spec": spec}
    refusals = [
        result
        for result in keyword_results(kind.schema, value, partial=False)
        if is_refusal(result)
    ]
    assert bool(refusals) != Draft202012Validator(kind.schema).is_valid(value)
    places = {
        tuple(error.absolute_path) for error in Draft202012Validator(kind.schema).iter_errors(value)
    }
    assert {refusal.path for refusal in refusals} == places


def is_refusal(result: KeywordResult) -> bool:
    return result.keyword not in NOTES
