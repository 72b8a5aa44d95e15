"""What the engine has to say against an object, without the engine's own types."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from lint.model import Finding, Severity, Where, field_path

_MAX_OBJECTIONS = 200
_MAX_TEXT = 1000
"""Characters; objects are hostile, and their objections are remembered."""


@dataclass(frozen=True, slots=True)
class Objection:
    """A finding as users of a cluster see it: `field` is a path as Kubernetes writes it."""

    rule: str
    severity: Severity
    field: str
    message: str
    help: str = ""

    @property
    def text(self) -> str:
        """Message, rule and advice in one line."""
        return f"{self.message} [celvet: {self.rule}]{f': {self.help}' if self.help else ''}"

    @property
    def summary(self) -> str:
        """Place, message and rule in one line."""
        return f"{f'{self.field}: ' if self.field else ''}{self.message} [celvet: {self.rule}]"


Crash: TypeAlias = tuple[str, str]
"""A rule that failed, by its id, and what it failed with."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What judging an object gave.

    `exhausted` says that it was given up: the object costs more than its share of
    the processor, and nothing is known of it.
    """

    objections: tuple[Objection, ...] = ()
    crashes: tuple[Crash, ...] = ()
    exhausted: bool = False


def objections(findings: Iterable[Finding]) -> tuple[Objection, ...]:
    """Stamped findings as objections, each once, most severe first, as many as anybody reads."""
    found = dict.fromkeys(map(_objection, findings))
    return tuple(sorted(found, key=lambda each: -each.severity)[:_MAX_OBJECTIONS])


def _objection(finding: Finding) -> Objection:
    severity = finding.severity or Severity.WARNING
    texts = (_place(finding.where), finding.message, finding.help)
    return Objection(finding.rule, severity, *(text[:_MAX_TEXT] for text in texts))


def _place(where: Where) -> str:
    """The path; within a text of manifests, the path of that text and the path in it."""
    outer = field_path(where.path)
    return f"{outer}: {_place(where.inner)}" if where.inner else outer
