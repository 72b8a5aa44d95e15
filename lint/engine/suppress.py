"""Drops suppressed findings, and reports suppressions that suppress nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from celvet.lint.engine.result import Crash
from celvet.lint.engine.run_rules import run_rules
from celvet.lint.engine.settings import Settings
from celvet.lint.manifest import KubeObject, Manifest
from celvet.lint.model import Finding
from celvet.lint.rules import on_suppressions
from celvet.lint.suppression import Suppression, in_annotation, in_comments
from celvet.record import replace


def suppressions_in(
    manifest: Manifest, objects: Sequence[KubeObject], settings: Settings
) -> Iterator[Suppression]:
    """The suppressions in comments of a file and in annotations of objects."""
    yield from in_comments(manifest)
    for obj in objects if settings.annotations else ():
        yield from in_annotation(obj)


def suppress(
    outcomes: Iterable[Finding | Crash], suppressions: Sequence[Suppression], settings: Settings
) -> tuple[list[Finding | Crash], int]:
    """The outcomes that no suppression covers, and the number of the others.

    The findings about unused suppressions are added to the outcomes. They can be
    suppressed too, so a suppression that names their rule is checked last, and a
    finding about that one is always kept.
    """
    late_rules = on_suppressions()
    early_parts, late_parts = [], []
    for suppression in suppressions:
        early = tuple(rule for rule in suppression.rules if rule not in late_rules)
        late = tuple(rule for rule in suppression.rules if rule in late_rules)
        early_parts.append(replace(suppression, rules=early))
        late_parts.append(replace(suppression, rules=late, broken=""))  # broken is reported once

    filter_ = _Filter(suppressions)
    remaining_outcomes = filter_.drop_covered(outcomes)
    remaining_outcomes += filter_.drop_covered(
        _unused_findings(early_parts, filter_.used, settings)
    )
    remaining_outcomes += _unused_findings(late_parts, filter_.used, settings)
    return remaining_outcomes, filter_.covered


class _Filter:
    """Counts what is `covered` and notes, by index, which rule of which suppression was `used`.

    A suppression covers only what is in its own document.
    """

    def __init__(self, suppressions: Sequence[Suppression]) -> None:
        self.covered = 0
        self.used: set[tuple[int, str]] = set()
        self._naming: dict[tuple[str, int], list[tuple[int, Suppression]]] = {}
        for index, suppression in enumerate(suppressions):
            for rule in suppression.rules:
                place = rule, suppression.where.document
                self._naming.setdefault(place, []).append((index, suppression))

    def drop_covered(self, outcomes: Iterable[Finding | Crash]) -> list[Finding | Crash]:
        """The outcomes that no suppression covers."""
        return [outcome for outcome in outcomes if not self._covers(outcome)]

    def _covers(self, outcome: Finding | Crash) -> bool:
        covering = {
            (index, outcome.rule)
            for index, suppression in self._naming.get((outcome.rule, outcome.where.document), ())
            if isinstance(outcome, Finding) and suppression.covers(outcome.rule, outcome.where)
        }
        self.used |= covering
        self.covered += bool(covering)
        return bool(covering)


def _unused_findings(
    suppressions: Sequence[Suppression], used_rules: set[tuple[int, str]], settings: Settings
) -> Iterator[Finding | Crash]:
    """Findings about rules that a suppression names without effect, and about a broken one."""
    for index, suppression in enumerate(suppressions):
        names = [rule for rule in suppression.rules if (index, rule) not in used_rules]
        idle = replace(suppression, rules=tuple(rule for rule in names if settings.active(rule)))
        if idle.rules or idle.broken:
            yield from run_rules(idle, lambda rule: rule.check_unused, settings, suppression.where)
