"""From what the engine found to what is told of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from celvet.lint.model import Finding, Severity, Value, Where, field_path
from celvet.webhook.judging.identity import identity
from celvet.webhook.lint_result import MAX_OBJECTIONS, Objection

_IN_FULL = 200
"""Objections that are told in full: more than anybody reads."""

_MAX_TEXT = 1000
_MAX_FIELD = 100
"""Characters; objects are hostile, and their objections are remembered."""


def objections(findings: Iterable[Finding], object_: Value) -> tuple[Objection, ...]:
    """Stamped findings in an object as objections, each once, most severe first.

    Those beyond the first 200 are told in brief, and only errors of them: nobody reads
    so many, but whether an update adds one is asked of all.
    """
    found = dict.fromkeys(_objection(each, object_) for each in findings)
    ordered = sorted(found, key=lambda each: -each.severity)
    rest = (each for each in ordered[_IN_FULL:] if each.severity is Severity.ERROR)
    return (*ordered[:_IN_FULL], *_briefly(rest))[:MAX_OBJECTIONS]


def _objection(finding: Finding, object_: Value) -> Objection:
    severity = finding.severity or Severity.WARNING
    place, message, help_ = (
        text[:_MAX_TEXT] for text in (_place(finding.where), finding.message, finding.help)
    )
    return Objection(finding.rule, severity, place, message, help_, identity(finding, object_))


def _briefly(errors: Iterable[Objection]) -> Iterator[Objection]:
    for each in errors:
        message = f"an error beyond the first {_IN_FULL}, which `celvet lint` tells"
        yield replace(each, field=each.field[:_MAX_FIELD], message=message, help="")


def _place(where: Where) -> str:
    """The path; within a text of manifests, the path of that text and the path in it."""
    outer = field_path(where.path)
    return f"{outer}: {_place(where.inner)}" if where.inner else outer
