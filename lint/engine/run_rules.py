"""Runs the rules, completes their findings, and separates crashes from findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from celvet.lint.checks import CheckedObject
from celvet.lint.engine.result import Crash
from celvet.lint.engine.settings import Settings
from celvet.lint.model import Finding, ObjectRef, Where
from celvet.lint.rules import Reports, Rule, nothing, rules
from celvet.record import replace

SubjectT = TypeVar("SubjectT")


def run_rules(
    subject: SubjectT,
    choose: Callable[[Rule], Reports[SubjectT]],
    settings: Settings,
    where: Where,
    object_: ObjectRef = ObjectRef(),  # noqa: B008 - frozen
) -> Iterator[Finding | Crash]:
    """The findings of all active rules about a subject.

    `choose` picks the function of a rule for this kind of subject. A rule that raises gives a
    `Crash` at `where`, the subject's place, and the others still run: a bug in celvet must neither
    refuse an object nor go unnoticed.
    """
    for rule in rules():
        if rule.severity < settings.least:
            continue
        check = choose(rule)
        if check is nothing or not settings.active(rule.id):
            continue
        try:
            for finding in check(subject):
                yield _complete(finding, rule, settings, object_)
        except Exception as error:
            yield Crash(rule.id, where, f"{type(error).__name__}: {error}")


def run_rules_on(checked_object: CheckedObject, settings: Settings) -> Iterator[Finding | Crash]:
    """The findings of all active rules about an object of a known kind."""
    where = checked_object.place(())
    return run_rules(
        checked_object, lambda rule: rule.check, settings, where, checked_object.object
    )


def _complete(finding: Finding, rule: Rule, settings: Settings, object_: ObjectRef) -> Finding:
    severity = settings.severity(rule.id, finding.severity or rule.severity)
    return replace(finding, rule=rule.id, severity=severity, url=rule.url, object=object_)
