"""One cause gives one finding; others that contradict it are left out, except in `explain`."""

from __future__ import annotations

from celvet.lint.engine import Settings, lint_text
from celvet.lint.engine.consistency import _BEHAVIOUR
from celvet.lint.model import Finding, Severity
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
      current: "{current}"
"""
_FAILED = "status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'False')"
_THING = {
    "api_version": "example.com/v1",
    "kind": "Thing",
    "failed": _FAILED,
    "current": _FAILED.replace("False", "True"),
}


def _rules(
    wait: bool, settings: Settings | None = None, comment: str = "", **given: str
) -> list[str]:
    text = _MANIFEST.format(wait=str(wait).lower(), **{**_THING, **given})
    text = text.replace("    - api", f"{comment}    - api")
    result = lint_text(text, "apps.yaml", settings or Settings())
    assert not result.crashes
    return [each.rule for each in result.findings]


def _findings(**given: str) -> tuple[Finding, ...]:
    text = _MANIFEST.format(**{"wait": "true", **_THING, **given})
    return lint_text(text, "apps.yaml").findings


def test_the_rules_exist() -> None:
    assert set(ids()) >= _BEHAVIOUR


def test_an_unused_check_has_no_behaviour() -> None:
    assert _rules(wait=True) == ["premature-failed"]
    assert _rules(wait=False) == ["ignored-expression"]


def test_what_an_unused_check_would_do_is_a_note() -> None:
    (found,) = _findings(wait="false")
    (note,) = found.related
    assert note.message.startswith("once it is used, `failed` is true when nothing matches: ")
    assert note.where.path[-1] == "failed"


def test_a_result_of_the_wrong_type_is_said_once() -> None:
    known = {"api_version": "postgresql.cnpg.io/v1", "kind": "Cluster", "failed": "false"}
    assert _rules(True, **known, current="'true'") == ["result-type"]


def test_an_entry_with_an_error_is_repaired_before_it_is_completed() -> None:
    entry = "    - apiVersion: example.com/v1\n      kind: Thing\n      current: "
    head = _MANIFEST.partition("    - api")[0].format(wait="true")
    for text, wanted in (
        ("status.phase == 'Ready'", "missing-failed"),
        ("status.phase = 'Ready'", "cel-syntax"),
        ("status.conditions.Ready == 'True'", "always-error"),
    ):
        (found,) = lint_text(f'{head}{entry}"{text}"\n', "apps.yaml").findings
        assert found.rule == wanted


def test_an_entry_that_is_better_removed_has_one_advice() -> None:
    kind = {"api_version": "apps/v1", "kind": "Deployment"}
    ready = "status.conditions.exists(e, e.type == 'Available' && e.status == 'True')"
    (harmless,) = _findings(**kind, failed="status.replicas < 0", current=ready)
    assert harmless.rule == "core-kind"
    (harmful,) = _findings(**kind, current=ready)
    assert harmful.rule == "premature-failed"
    assert harmful.help == harmless.help
    both = _rules(True, Settings(everything=True), **kind)
    assert {"core-kind", "premature-failed"} <= set(both)


def test_explain_shows_both() -> None:
    both = _rules(False, Settings(everything=True))
    assert both == ["ignored-expression", "premature-failed"]


def test_who_knows_that_it_is_used_sees_its_behaviour() -> None:
    off: dict[str, Severity | None] = {"ignored-expression": None}
    assert _rules(False, Settings(severities=off)) == ["premature-failed"]
    comment = "    # celvet: ignore[ignored-expression] the parent sets wait\n"
    assert _rules(False, comment=comment) == ["premature-failed"]


def test_what_is_refused_is_reported_anyway() -> None:
    found = _rules(False, failed="status.phase = 'Failed'")
    assert sorted(found) == ["cel-syntax", "ignored-expression"]


def test_what_may_be_a_choice_is_not_reported() -> None:
    seen = "e.type == 'Ready' && e.observedGeneration == metadata.generation"
    issuer = {
        "api_version": "cert-manager.io/v1",
        "kind": "ClusterIssuer",
        "failed": f"status.conditions.exists(e, {seen} && e.status == 'False')",
        "current": f"status.conditions.exists(e, {seen} && e.status == 'True')",
    }
    assert _rules(True, **issuer) == []
    assert _rules(True, Settings(everything=True), **issuer) == ["premature-failed"]


def test_a_suppression_of_what_is_left_out_is_of_use() -> None:
    comment = "    # celvet: ignore[premature-failed] never mind\n"
    assert _rules(False, comment=comment) == ["ignored-expression"]
