"""The results for one check are valid for all that differ from it only in names."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.model import GroupKind
from celvet.lint.predict import CheckModel, Diagnosis, diagnose
from celvet.lint.predict.faults.diagnose import known_of
from celvet.lint.predict.fixes.rewrites import _rewrite, rewrite
from celvet.lint.predict.general import general
from tests.predict.models import made, maybe
from tests.properties import examples

_NAMES = (
    *("Ready", "Valid", "Synced", "Failed", "Readyx", "ReadyToGo", "IsReady", "ReadyOther"),
    *("True", "False", "Unknown", "Reconciling", "Other0", "Example", "Cluster", "Qxzaq", "Qxza"),
    *("ok", "", "not ready", "Zed", "Able", "UNKNOWN", "ready", "valid", "xvalid", "synced-1"),
    *("example", "another", "xxxxx", "true", "null", "a.b/c", "1.27.0", "Example.com", "v1.2"),
)
_FIELDS = ("status.phase", "status.state", "status.ready", "status['mode']", "kind")
_ELEMENT = ("e.type", "e.status", "e.reason", "e.message")
_ODD = (
    "status.phase.contains('{}')",
    "status.phase < '{}'",
    "status.phase in ['{}', 'Ready']",
    "status.phase.lowerAscii() == '{}'",
    "status.phase + '{}' == 'Ready'",
    "has(status.phase)",
    "status.phase == status.state",
    "status.replicas >= 1",
    "status.observedGeneration == metadata.generation",
    "status.labels['{}'] == 'Ready'",
    "[status.phase, status.state].exists(p, p == '{}')",
    "size(status.phase) == 5",
    "status.phase == '{}' // Ready",
)


def _compared(fields: tuple[str, ...]) -> st.SearchStrategy[str]:
    operator, name = st.sampled_from(("==", "!=")), st.sampled_from(_NAMES)
    quoted = st.tuples(name, st.sampled_from("'\"")).map(lambda pair: pair[1] + pair[0] + pair[1])
    sides = st.tuples(st.sampled_from(fields), operator, quoted)
    return st.one_of(sides.map(" ".join), sides.map(lambda three: " ".join(three[::-1])))


def _joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    signs = st.sampled_from((" && ", " || "))
    return st.tuples(st.lists(parts, min_size=1, max_size=3), signs).map(
        lambda pair: "(" + pair[1].join(pair[0]) + "\n)"
    )


_BODIES = _joined(_compared(_ELEMENT))
_LISTS = st.one_of(
    st.tuples(st.sampled_from(("exists", "all")), _BODIES).map(
        lambda pair: f"status.conditions.{pair[0]}(e, {pair[1]})"
    ),
    st.tuples(_BODIES, _BODIES).map(
        lambda pair: f"status.conditions.filter(e, {pair[0]}).all(e, {pair[1]})"
    ),
)
_OTHERS = st.tuples(st.sampled_from(_ODD), st.sampled_from(_NAMES)).map(
    lambda pair: pair[0].format(pair[1])
)
_EXPRESSIONS = _joined(st.one_of(_LISTS, _LISTS, _compared(_FIELDS), _OTHERS))
_ENTRIES = st.fixed_dictionaries(
    {"current": _EXPRESSIONS}, optional={"inProgress": _EXPRESSIONS, "failed": _EXPRESSIONS}
)


def _shown(model: CheckModel, each: Diagnosis) -> tuple[Any, ...]:
    row, fields = each.row, (each.fault, each.role, each.how, each.span, each.other, each.detail)
    if row is None:
        return fields
    outcomes = [(role, row.outcomes[role]) for role in model.programs]
    return *fields, each.others, row.state, row.verdict, outcomes


@given(texts=_ENTRIES, kind=st.sampled_from(("Example", "Cluster", "Ready")))
@examples(400)
def test_what_stands_for_a_model_says_what_it_says_itself(texts: dict[str, str], kind: str) -> None:
    texts = {role: texts[role] for role in ("inProgress", "failed", "current") if role in texts}
    model = maybe(texts, GroupKind("example.org", kind))
    if model is None:
        return
    found, alone = diagnose(model), known_of(model)
    assert [_shown(model, each) for each in found] == [_shown(model, each) for each in alone]
    for each, same in zip(found, alone, strict=True):
        assert rewrite(model, each) == _rewrite(model, same)


_ENTRY = {
    "inProgress": "status.conditions.exists(e, e.type == 'Issuing' && e.status == 'True')",
    "failed": "status.phase == 'Broken'",
    "current": "status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'True')",
}


def test_models_that_differ_by_names_are_looked_at_once() -> None:
    other = {"Issuing": "Pending", "Broken": "Failed", "Ready": "Valid"}
    texts = dict(_ENTRY)
    for old, new in other.items():
        texts = {role: text.replace(old, new) for role, text in texts.items()}
    one, two = (general(made(each)) for each in (_ENTRY, texts))
    assert known_of(one.model) is known_of(two.model)
    assert {*one.names.values()} == {*other}
    assert {*two.names.values()} == {*other.values()}
    (first, *_), (second, *_) = diagnose(made(_ENTRY)), diagnose(made(texts))
    assert "e.type == 'Ready'" in first.detail
    assert second.detail == first.detail.replace("Ready", "Valid")


@pytest.mark.parametrize(
    "text",
    [
        "status.phase == 'Ready' || status.phase.startsWith('Rea')",
        "status.phase == 'Ready' || status.phase > 'B'",
        "status.phase == 'Ready' || status.phase == 'ReadyToGo'",
        "status.phase == 'Ready' || status.phase == 'ok'",
        "status.phase == 'Ready' || status.phase == 'NotReady'",
        "status.phase == 'phase'",
        "metadata.name == 'example'",
        "status.phase == 'Ready' || status.phase == status.state",
        "status.phase == 'Ready' || status['Ready'] == 1",
        "status.phase == 'Reconciling'",
        "status.phase == 'Cluster' && kind == 'Cluster'",
    ],
)
def test_names_that_may_matter_are_kept(text: str) -> None:
    kind = GroupKind("example.org", "Cluster")
    assert not general(made({"current": text}, kind)).names
