"""Updates are denied only for errors that the old object did not have."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.engine import lint_text
from celvet.lint.model import Severity
from celvet.lint.report.fingerprint import Identity, identity
from celvet.lint.report.report import file_report
from celvet.webhook.decide.admission import AdmissionDecision
from celvet.webhook.decide.new_errors import fingerprint, new_errors
from celvet.webhook.decide.policy import AdmissionPolicy
from celvet.webhook.judgement import FindingRecord
from tests.tables import read_table
from tests.webhook.inline_judge import decide
from tests.webhook.reviews import KINDS, OTHER_KINDS, bad_one, review


def record(message: str, field: str) -> FindingRecord:
    fingerprint = message + re.sub(r"\[\d+\]", "[]", field)
    return FindingRecord("rule", Severity.ERROR, field, message, fingerprint=fingerprint)


def parsed(text: str) -> list[FindingRecord]:
    """`m@f[0] n@g`: messages at fields."""
    return [record(*each.split("@")) for each in text.split()]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "m@f[0]", "m@f[0]"),
        ("m@f[0]", "m@f[0]", ""),
        ("m@f[0]", "m@f[1]", ""),
        ("m@f[0]", "n@f[0]", "n@f[0]"),
        ("m@f[0]", "m@g[0]", "m@g[0]"),
        ("m@f[0]", "m@f[0] m@f[1]", "m@f[1]"),
        ("m@f[1]", "m@f[0] m@f[1]", "m@f[0]"),
        ("m@f[0] m@f[1]", "m@f[1] m@f[2]", ""),
        ("m@f[0].a[1]", "m@f[2].a[3]", ""),
        ("m@f[0] n@f[1]", "n@f[0] m@f[1]", ""),
        ("m@f[0] m@f[0]", "m@f[0]", ""),
    ],
)
def test_new_errors(old: str, new: str, expected: str) -> None:
    assert new_errors(parsed(new), parsed(old)) == set(parsed(expected))


RECORDS = st.lists(
    st.builds(record, st.sampled_from("mn"), st.sampled_from(["f[0]", "f[1]", "g"])), unique=True
)


@given(old=RECORDS, new=RECORDS)
def test_as_many_are_new_as_there_are_more(
    old: list[FindingRecord], new: list[FindingRecord]
) -> None:
    def kinds(findings: list[FindingRecord]) -> Counter[tuple[str, str]]:
        return Counter((each.message, each.field[0]) for each in findings)

    assert len(new_errors(new, old)) == (kinds(new) - kinds(old)).total()
    assert new_errors(new, old) <= set(new)


GOOD = {each["good"]["kind"]: each["good"] for each in KINDS}
TABLE = read_table(Path(__file__).with_name("updates.yaml"))


def updated(old: Any, new: Any, **request: Any) -> AdmissionDecision:
    """The decision on an update from one object to another."""
    body = json.dumps(review(new, "UPDATE", oldObject=old, **request)).encode()
    return decide(body, AdmissionPolicy())


@pytest.mark.parametrize("case", TABLE, ids=lambda case: case["name"])
def test_updates(case: dict[str, Any]) -> None:
    old, new = (_object(case.get("kind", "Kustomization"), case[key]) for key in ("old", "new"))
    decision = updated(old, new, **case.get("request", {}))
    assert [each.field for each in decision.denials] == case.get("denies", [])
    assert decision.skip_reason == case.get("skips", "")
    if not (decision.denials or decision.skip_reason):
        warned = any(each.severity is Severity.ERROR for each in decision.warnings)
        assert warned is case.get("warns", True)
    old_too = json.dumps(review(old)).encode()
    assert decide(old_too, AdmissionPolicy()).denials, "the old object has no error"


def _alone(object_: dict[str, Any], _: str) -> dict[str, Any]:
    return object_


def _in_template(object_: dict[str, Any], comment: str) -> dict[str, Any]:
    template = _object("ResourceSet", {"resourcesTemplate": comment + yaml.safe_dump(object_)})
    return template | {"metadata": {"name": "outer"}}


def _in_patch(object_: dict[str, Any], comment: str) -> dict[str, Any]:
    patch = {"target": {"kind": object_["kind"]}, "patch": comment + yaml.safe_dump(object_)}
    return _object("Kustomization", {"patches": [patch]})


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        # A change of nothing but metadata is not looked at.
        *product((k for k in [*KINDS, *OTHER_KINDS] if k["at"][0] != "metadata"), [_alone]),
        *product((k for k in KINDS if "metadata" in k["good"]), [_in_template, _in_patch]),
    ],
    ids=lambda value: value["good"]["kind"] if isinstance(value, dict) else value.__name__,
)
def test_updates_of_each_kind(
    kind: dict[str, Any], place: Callable[[dict[str, Any], str], dict[str, Any]]
) -> None:
    good = kind["good"]
    old = place(bad_one(kind), "")
    assert updated(place(good, ""), old).denials
    assert not updated(old, place(good, "")).denials
    if isinstance(kind["bad"], str):
        worse = bad_one(kind | {"bad": kind["bad"] + "("})
        assert updated(old, place(worse, "")).denials
    changed = place(bad_one(kind), "# a comment\n") | {"unknown": 1}
    decision = updated(old, changed)
    assert not decision.denials
    assert any(each.severity is Severity.ERROR for each in decision.warnings)


def _object(kind: str, spec: dict[str, Any]) -> dict[str, Any]:
    value: dict[str, Any] = copy.deepcopy(GOOD[kind])
    for key, field in spec.items():
        if key in ("metadata", "status"):
            value[key] = {**value.get(key, {}), **field}
        elif key == "apiVersion":
            value[key] = field
        elif key != "checks":
            value["spec"][key] = field
    if "checks" in spec:
        value["spec"]["healthCheckExprs"] = [_check(each) for each in spec["checks"]]
    return value


def _check(short: dict[str, str]) -> dict[str, str]:
    """A health check from the short form of the table."""
    ((name, text),) = short.items()
    kind, _, version = name.partition("/")
    return {"apiVersion": f"example.com/{version or 'v1'}", "kind": kind, "current": text}


def many(texts: list[str]) -> dict[str, Any]:
    return _object("Kustomization", {"checks": [{f"K{n}": text} for n, text in enumerate(texts)]})


BROKEN = [f"foo{n}(status.a)" for n in range(260)]


@pytest.mark.parametrize(
    ("texts", "denied"),
    [
        (["status.a == 1", *BROKEN[1:]], []),
        ([*BROKEN[:-1], "status.a == 1"], []),
        ([*BROKEN, "bar(status.a)"], ["spec.healthCheckExprs[260].current"]),
        ([*BROKEN[:230], "bar(status.a)", *BROKEN[231:]], ["spec.healthCheckExprs[230].current"]),
        (["bar(status.a)", *BROKEN[1:]], ["spec.healthCheckExprs[0].current"]),
    ],
)
def test_more_than_have_all_their_texts(texts: list[str], denied: list[str]) -> None:
    old = many(BROKEN)
    for new in (many(texts), _reversed(many(texts))):
        decision = updated(old, new)
        assert len(decision.denials) == len(denied)
        if new["spec"]["healthCheckExprs"][0]["kind"] == "K0":
            assert [each.field for each in decision.denials] == denied


def _reversed(value: dict[str, Any]) -> dict[str, Any]:
    value["spec"]["healthCheckExprs"].reverse()
    return value


def test_fingerprints_agree_with_the_baseline() -> None:
    """Both identify list entries by the same names, on all updates of the table."""
    compared = 0
    for case in TABLE:
        kind = case.get("kind", "Kustomization")
        old, new = ([*identified(_object(kind, case[key]))] for key in ("old", "new"))
        for (text, known, digest), (other_text, other, other_digest) in product(old, new):
            if text == other_text:
                compared += 1
                assert (known == other) is (digest == other_digest), case["name"]
    assert compared > 20


def identified(object_: dict[str, Any]) -> Iterator[tuple[Any, Identity, str]]:
    """Rule, message and text of each error, its identity in baselines, its fingerprint."""
    result = lint_text(yaml.safe_dump(object_).encode(), "-")
    for each in file_report(result).findings:
        finding, path = each.finding, each.finding.where.path
        value: Any = object_
        for step in path:
            value = value.get(step) if isinstance(value, dict) else value[step]
        text = None if isinstance(value, dict | list) else value
        known = identity(each, "-")._replace(text="")
        message = re.sub(r"\[\d+\]", "[]", finding.message)
        yield (finding.rule, message, text), known, fingerprint(finding, object_)
