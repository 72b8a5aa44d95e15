"""A check has one finding for a cause: what contradicts it is left out, except in `explain`."""

from __future__ import annotations

from celvet.lint.engine import Settings, lint_text
from celvet.lint.engine.voice import _BEHAVIOUR
from celvet.lint.model import Severity
from celvet.lint.rules import ids

_MANIFEST = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: apps}}
spec:
  wait: {wait}
  healthCheckExprs:
    - apiVersion: {api_version}
      kind: {kind}
      failed: "{failed}"
      current: "status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'True')"
"""
_FAILED = "status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'False')"


def _rules(
    wait: bool, settings: Settings | None = None, comment: str = "", **given: str
) -> list[str]:
    values = {"api_version": "example.com/v1", "kind": "Thing", "failed": _FAILED}
    text = _MANIFEST.format(wait=str(wait).lower(), **{**values, **given})
    text = text.replace("    - api", f"{comment}    - api")
    result = lint_text(text, "apps.yaml", settings or Settings())
    assert not result.crashes
    return [each.rule for each in result.findings]


def test_the_rules_exist() -> None:
    assert set(ids()) >= _BEHAVIOUR


def test_an_unused_check_has_no_behaviour() -> None:
    assert _rules(wait=True) == ["premature-failed"]
    assert _rules(wait=False) == ["ignored-expression"]


def test_explain_shows_both() -> None:
    both = _rules(False, Settings(everything=True))
    assert both == ["ignored-expression", "premature-failed"]


def test_who_knows_that_it_is_used_hears_of_its_behaviour() -> None:
    off: dict[str, Severity | None] = {"ignored-expression": None}
    assert _rules(False, Settings(severities=off)) == ["premature-failed"]
    comment = "    # celvet: ignore[ignored-expression] the parent sets wait\n"
    assert _rules(False, comment=comment) == ["premature-failed"]


def test_what_is_refused_is_reported_all_the_same() -> None:
    found = _rules(False, failed="status.phase = 'Failed'")
    assert sorted(found) == ["cel-syntax", "ignored-expression"]


def test_what_may_be_a_choice_is_not_reported() -> None:
    issuer = {"api_version": "cert-manager.io/v1", "kind": "ClusterIssuer"}
    assert _rules(True, **issuer) == []
    assert _rules(True, Settings(everything=True), **issuer) == ["premature-failed"]


def test_a_suppression_of_what_is_left_out_is_of_use() -> None:
    comment = "    # celvet: ignore[premature-failed] never mind\n"
    assert _rules(False, comment=comment) == ["ignored-expression"]
