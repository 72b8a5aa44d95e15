"""Drops what the user does not want to hear, and reports suppressions that are of no use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import InitVar, dataclass, field, replace

from celvet.lint.engine.result import Crash
from celvet.lint.engine.run_rules import judge
from celvet.lint.engine.settings import Settings
from celvet.lint.model import Finding
from celvet.lint.rules import rules
from celvet.lint.suppression import Suppression


def sifted(
    outcomes: Iterable[Finding | Crash], suppressions: Sequence[Suppression], settings: Settings
) -> tuple[list[Finding | Crash], int]:
    """What no suppression covers with what is wrong with these, and how much one covers.

    What the rules say of a suppression can be suppressed as well. So whether one
    that names such a rule is of use is asked last, and that is always said.
    """
    last = {rule.id for rule in rules() if rule.judges_suppressions}
    sieve = _Sieve(suppressions)
    kept = sieve.uncovered(outcomes)
    first = [replace(each, rules=_without(each.rules, last)) for each in suppressions]
    kept += sieve.uncovered(_unused(first, sieve.used, settings))
    second = [replace(each, rules=_within(each.rules, last), broken="") for each in suppressions]
    kept += _unused(second, sieve.used, settings)
    return kept, sieve.covered


def _without(names: Iterable[str], others: set[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in others)


def _within(names: Iterable[str], others: set[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name in others)


@dataclass(slots=True)
class _Sieve:
    """Counts what is `covered` and notes, by index, which rule of which suppression was `used`."""

    suppressions: InitVar[Sequence[Suppression]]
    covered: int = 0
    used: set[tuple[int, str]] = field(default_factory=set)
    _naming: dict[str, list[tuple[int, Suppression]]] = field(default_factory=dict)

    def __post_init__(self, suppressions: Sequence[Suppression]) -> None:
        for index, suppression in enumerate(suppressions):
            for rule in suppression.rules:
                self._naming.setdefault(rule, []).append((index, suppression))

    def uncovered(self, outcomes: Iterable[Finding | Crash]) -> list[Finding | Crash]:
        """The outcomes that no suppression covers."""
        return [each for each in outcomes if not self._covers(each)]

    def _covers(self, outcome: Finding | Crash) -> bool:
        covering = {
            (index, outcome.rule)
            for index, suppression in self._naming.get(outcome.rule, ())
            if isinstance(outcome, Finding) and suppression.covers(outcome.rule, outcome.where)
        }
        self.used |= covering
        self.covered += bool(covering)
        return bool(covering)


def _unused(
    suppressions: Sequence[Suppression], used: set[tuple[int, str]], settings: Settings
) -> Iterator[Finding | Crash]:
    """What the rules say of the names that a suppression has in vain, and of a broken one."""
    for index, suppression in enumerate(suppressions):
        idle = [rule for rule in suppression.rules if (index, rule) not in used]
        vain = replace(suppression, rules=tuple(rule for rule in idle if settings.active(rule)))
        if vain.rules or vain.broken:
            yield from judge(vain, lambda rule: rule.check_unused, settings, suppression.where)
