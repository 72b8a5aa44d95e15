"""The result of linting one object, as it crosses the pipe between processes.

Neither the rules nor the CEL engine are loaded for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from celvet.lint.model import Severity

MAX_FINDINGS = 20_000
"""Findings of one object; a result that has as many may lack some."""


class FindingRecord(NamedTuple):
    """A `celvet.lint.model.Finding` reduced to texts; `celvet.webhook.judging.summary` makes it.

    `field` is a path as Kubernetes writes it. `fingerprint` stays the same when the
    entries of lists move.
    """

    rule: str
    severity: Severity
    field: str
    message: str
    help: str = ""
    fingerprint: str = ""

    @property
    def text(self) -> str:
        """Message, rule and advice in one line."""
        return f"{self.message} [celvet: {self.rule}]{f': {self.help}' if self.help else ''}"

    @property
    def summary(self) -> str:
        """Field, message and rule in one line."""
        return f"{f'{self.field}: ' if self.field else ''}{self.message} [celvet: {self.rule}]"


RuleCrash: TypeAlias = tuple[str, str]
"""A rule that failed, by its id, and the error."""


@dataclass(frozen=True, slots=True)
class LintResult:
    """The findings of one object, most severe first.

    With `limit_exceeded` the object was given up, since it took too much processor time
    or memory; nothing is known about it.
    """

    findings: tuple[FindingRecord, ...] = ()
    crashes: tuple[RuleCrash, ...] = ()
    limit_exceeded: bool = False

    @property
    def complete(self) -> bool:
        """Whether all errors of the object are among the findings."""
        return not self.limit_exceeded and len(self.findings) < MAX_FINDINGS
