"""One cause gives one finding; others that contradict it are left out, except in `explain`."""

from __future__ import annotations

import pytest

from celvet.lint.arbiter.faults import FAULTS, choose_faults
from celvet.lint.arbiter.findings import FINDINGS
from celvet.lint.causes import Cause
from celvet.lint.engine import Settings, lint_text
from celvet.lint.model import Finding, Severity
from celvet.lint.rules import ids
from celvet.record import record
from tests.manifests import with_entry

_FAILED = "status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'False')"
_THING = {
    "failed": _FAILED,
    "current": _FAILED.replace("False", "True"),
}


def _rules(
    wait: bool, settings: Settings | None = None, comment: str = "", **given: str
) -> list[str]:
    text = with_entry("apps", wait=wait, **{**_THING, **given})
    text = text.replace("  - api", f"{comment}  - api")
    result = lint_text(text, "apps.yaml", settings or Settings())
    assert not result.crashes
    return [each.rule for each in result.findings]


def _findings(*, wait: bool = True, **given: str) -> tuple[Finding, ...]:
    return lint_text(with_entry("apps", wait=wait, **{**_THING, **given}), "apps.yaml").findings


def test_the_tables_name_rules_that_exist_and_causes_that_occur() -> None:
    sides = [side for row in FINDINGS for side in (row.winners, row.losers)]
    names = {name for side in sides for name in side.names}
    assert {name for name in names if isinstance(name, str)} <= set(ids())
    causes = {name for name in names if isinstance(name, Cause)}
    causes |= {cause for row in FAULTS for cause in (*row.winners, *row.losers)}
    assert set(Cause) - causes == {Cause.UNGUARDED}  # it excludes nothing, and nothing excludes it


@record
class _Fault:
    cause: Cause
    role: str = "current"


def _chosen(*faults: _Fault, known_kind: bool = False) -> list[Cause]:
    sources = [((fault.cause,), lambda fault=fault: [fault]) for fault in faults]
    return [fault.cause for fault in choose_faults(sources, known_kind=known_kind)]


def test_no_search_for_what_cannot_be_reported() -> None:
    never = ((Cause.NEVER_TRUE,), lambda: [_Fault(Cause.NEVER_TRUE)])
    hidden = ((Cause.HIDDEN, Cause.BLOCKED), lambda: pytest.fail("searched"))
    assert len(choose_faults([never, hidden], known_kind=False)) == 1


def test_a_row_applies_to_one_role_or_to_the_whole_check() -> None:
    early, negation = _Fault(Cause.PREMATURE), _Fault(Cause.NEGATION, "failed")
    assert _chosen(early, negation) == [Cause.PREMATURE, Cause.NEGATION]
    assert _chosen(_Fault(Cause.PREMATURE, "failed"), negation) == [Cause.PREMATURE]
    assert _chosen(early, negation, known_kind=True) == [Cause.PREMATURE]


def test_of_two_that_exclude_each_other_the_first_stands() -> None:
    faults = _Fault(Cause.STALE), _Fault(Cause.STALE_IN_LIFE)
    assert _chosen(*faults) == [Cause.STALE]
    assert _chosen(*reversed(faults)) == [Cause.STALE_IN_LIFE]


def test_what_has_lost_excludes_nothing() -> None:
    stuck, negation = _Fault(Cause.SOMETIMES_STUCK, "failed"), _Fault(Cause.NEGATION, "failed")
    assert _chosen(stuck, negation) == [Cause.NEGATION]
    hidden = _Fault(Cause.HIDDEN, "failed")
    assert _chosen(stuck, hidden, negation) == [Cause.SOMETIMES_STUCK, Cause.HIDDEN]


def test_an_unused_check_has_no_behaviour() -> None:
    assert _rules(wait=True) == ["premature-failed"]
    assert _rules(wait=False) == ["ignored-expression"]


def test_what_an_unused_check_would_do_is_a_note() -> None:
    known = {"apiVersion": "postgresql.cnpg.io/v1", "kind": "Cluster"}
    (found,) = _findings(wait=False, **known)
    (note,) = found.related
    assert note.message.startswith("once it is used, `failed` is true while the `Cluster` is ")
    assert note.where.path[-1] == "failed"


def test_a_result_of_the_wrong_type_is_said_once() -> None:
    known = {"apiVersion": "postgresql.cnpg.io/v1", "kind": "Cluster", "failed": "false"}
    assert _rules(True, **known, current="'true'") == ["result-type"]


def test_an_entry_with_an_error_is_repaired_before_it_is_completed() -> None:
    for text, wanted in (
        ("status.phase == 'Ready'", "missing-failed"),
        ("status.phase = 'Ready'", "cel-syntax"),
        ("status.conditions.Ready == 'True'", "always-error"),
    ):
        (found,) = lint_text(with_entry("apps", current=text), "apps.yaml").findings
        assert found.rule == wanted


def test_an_entry_that_is_better_removed_has_one_advice() -> None:
    kind = {"apiVersion": "apps/v1", "kind": "Deployment"}
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
    comment = "  # celvet: ignore[ignored-expression] the parent sets wait\n"
    assert _rules(False, comment=comment) == ["premature-failed"]


def test_what_is_refused_is_reported_anyway() -> None:
    found = _rules(False, failed="status.phase = 'Failed'")
    assert sorted(found) == ["cel-syntax", "ignored-expression"]


def test_what_may_be_a_choice_is_not_reported() -> None:
    seen = "e.type == 'Ready' && e.observedGeneration == metadata.generation"
    issuer = {
        "apiVersion": "cert-manager.io/v1",
        "kind": "ClusterIssuer",
        "failed": f"status.conditions.exists(e, {seen} && e.status == 'False')",
        "current": f"status.conditions.exists(e, {seen} && e.status == 'True')",
    }
    assert _rules(True, **issuer) == []
    assert _rules(True, Settings(everything=True), **issuer) == ["premature-failed"]


def test_a_suppression_of_what_is_left_out_is_of_use() -> None:
    comment = "  # celvet: ignore[premature-failed] never mind\n"
    assert _rules(False, comment=comment) == ["ignored-expression"]
