"""The result of a review, as it crosses the pipe between processes.

Neither the rules nor the CEL engine are loaded for it.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from celvet.lint.model import Severity
from celvet.record import record


class FindingRecord(NamedTuple):
    """A `celvet.lint.model.Finding` as plain strings, made by `celvet.webhook.judging.judge`.

    `field` is a path as Kubernetes writes it. `fingerprint` stays the same when the
    entries of lists move. An error `is_old` if the object before an update had it.
    """

    rule: str
    severity: Severity
    field: str
    message: str
    help: str = ""
    fingerprint: str = ""
    is_old: bool = False

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


@record
class Judgement:
    """The findings of one object, most severe first; or why there are none.

    `exemption` says why the object need not be linted, `failure` why it could not be,
    `format_error` why the review could not be read. A judgement that is not `final` is followed by
    another one, in which the errors of the old object are marked. One that is not `complete` has
    only the findings of the rules that find errors. `omitted` counts findings that are left out, of
    rules with many. `dry_run` is copied from the review; `seconds` of the processor it took so far.
    """

    findings: tuple[FindingRecord, ...] = ()
    crashes: tuple[RuleCrash, ...] = ()
    exemption: str = ""
    failure: str = ""
    format_error: str = ""
    final: bool = True
    complete: bool = True
    omitted: int = 0
    dry_run: bool = False
    seconds: float = 0.0


GIVEN_UP = Judgement(failure="checking the object takes too long", final=False)
"""An object that takes too much processor time or memory, or has to wait too long."""
