"""Each rule looks at one check at a time: `engine.fix` runs it again on that check alone."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from celvet import schemas
from celvet.lint.checks import Check, CheckedObject, check_value
from celvet.lint.engine import Settings, lint_text
from celvet.lint.model import Finding, Where
from celvet.lint.rules import Rule, rules
from celvet.lint.values import get
from tests.rules.every_case import every_case

_TWO = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: certs}
spec:
  healthCheckExprs:
    - {apiVersion: example.com/v1, kind: Thing, current: status.ready}
    - {apiVersion: example.com/v1, kind: Other, current: status.ready}
"""


def _findings(rule: Rule, checked: CheckedObject, *checks: Check) -> Counter[str]:
    """The findings about only some checks, as `fix_of` shows one to a rule."""
    return Counter(map(repr, rule.check(replace(checked, checks=checks))))


def _assert_apart(checked: CheckedObject) -> None:
    """Assert that each rule finds in all checks together what it finds in each one."""
    for rule in rules():
        if rule.id == "refused-graph":
            continue  # a graph is refused as a whole: its resources refer to each other
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
    (checked,) = lint_text(_TWO).checked
    with pytest.raises(AssertionError):
        _assert_apart(checked)
