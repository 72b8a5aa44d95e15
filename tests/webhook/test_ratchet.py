from __future__ import annotations

import copy
import json
import re
from collections import Counter
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.model import Severity
from celvet.webhook.decide.new_errors import added
from celvet.webhook.decide.policy import Policy
from celvet.webhook.lint_result import MAX_OBJECTIONS, Judgement, Objection
from tests.webhook.inline import decide
from tests.webhook.reviews import HERE, KINDS, review


def objection(message: str, field: str) -> Objection:
    return Objection("rule", Severity.ERROR, field, message, identity=message + _field(field))


def _field(field: str) -> str:
    return re.sub(r"\[\d+\]", "[]", field)


def parsed(text: str) -> list[Objection]:
    """`m@f[0] n@g`: messages at fields."""
    return [objection(*each.split("@")) for each in text.split()]


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
def test_added(old: str, new: str, expected: str) -> None:
    assert added(parsed(new), parsed(old)) == set(parsed(expected))


OBJECTIONS = st.lists(
    st.builds(objection, st.sampled_from("mn"), st.sampled_from(["f[0]", "f[1]", "g"])), unique=True
)


@given(old=OBJECTIONS, new=OBJECTIONS)
def test_as_many_are_new_as_there_are_more(old: list[Objection], new: list[Objection]) -> None:
    def kinds(objections: list[Objection]) -> Counter[tuple[str, str]]:
        return Counter((each.message, each.field[0]) for each in objections)

    assert len(added(new, old)) == (kinds(new) - kinds(old)).total()
    assert added(new, old) <= set(new)


GOOD = {each["good"]["kind"]: each["good"] for each in KINDS}
TABLE = yaml.safe_load((HERE / "updates.yaml").read_text())


@pytest.mark.parametrize("case", TABLE, ids=lambda case: case["name"])
def test_updates(case: dict[str, Any]) -> None:
    old, new = (_object(case.get("kind", "Kustomization"), case[key]) for key in ("old", "new"))
    body = json.dumps(review(new, "UPDATE", oldObject=old)).encode()
    decision = decide(body, Policy())
    assert [each.field for each in decision.denials] == case.get("denies", [])
    old_too = json.dumps(review(old)).encode()
    assert decide(old_too, Policy()).denials, "the old object has no sin"


def _object(kind: str, spec: dict[str, Any]) -> dict[str, Any]:
    value: dict[str, Any] = copy.deepcopy(GOOD[kind])
    value["spec"] |= {key: each for key, each in spec.items() if key != "checks"}
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
def test_more_than_are_told_in_full(texts: list[str], denied: list[str]) -> None:
    old = many(BROKEN)
    for new in (many(texts), _reversed(many(texts))):
        body = json.dumps(review(new, "UPDATE", oldObject=old)).encode()
        decision = decide(body, Policy())
        assert len(decision.denials) == len(denied)
        if new["spec"]["healthCheckExprs"][0]["kind"] == "K0":
            assert [each.field for each in decision.denials] == denied


def _reversed(value: dict[str, Any]) -> dict[str, Any]:
    value["spec"]["healthCheckExprs"].reverse()
    return value


def test_nobody_knows_all_objections_of_an_object_with_too_many() -> None:
    sin = objection("m", "f")
    assert Judgement((sin,) * 10).complete
    assert not Judgement((sin,) * MAX_OBJECTIONS).complete
    assert not Judgement(exhausted=True).complete
