"""The decision on a judged review. No HTTP, no clock, no files."""

from __future__ import annotations

from celvet.lint.model import Severity
from celvet.record import record
from celvet.webhook.decide.policy import AdmissionPolicy, Mode
from celvet.webhook.judgement import FindingRecord, Judgement


class RuleCrashError(Exception):
    """A rule crashed: a bug in celvet, which must neither allow nor deny an object."""


@record
class AdmissionDecision:
    """The answer to a review, and its reason.

    `audited` findings go only to the audit log. `would_deny` are the audited findings and warnings
    that would deny under `enforce: deny`. `passed` is the reason why the object was not linted,
    empty if it was. `unjudged` is a warning to the user that the object could not be linted. A
    decision that is not `complete` may lack warnings.
    """

    denials: tuple[FindingRecord, ...] = ()
    warnings: tuple[FindingRecord, ...] = ()
    audited: tuple[FindingRecord, ...] = ()
    would_deny: tuple[FindingRecord, ...] = ()
    passed: str = ""
    unjudged: str = ""
    complete: bool = True

    @property
    def allowed(self) -> bool:
        """Whether the object may be written."""
        return not self.denials

    @property
    def findings(self) -> tuple[FindingRecord, ...]:
        """All findings, most severe first."""
        return (*self.denials, *self.warnings, *self.audited)

    @property
    def verdict(self) -> str:
        """The outcome in a word: a label of metrics, a field of the log."""
        if self.unjudged:
            return "unjudged"
        if self.denials:
            return "denied"
        return "would-be-denied" if self.would_deny else "allowed"


def decide(judgement: Judgement, policy: AdmissionPolicy, namespace: str) -> AdmissionDecision:
    """The decision on a review in a namespace; raises `RuleCrashError`.

    Errors that the object had before an update deny nothing. Advice (`INFO`) only goes to the audit
    log, whatever its mode.
    """
    for rule, error in judgement.crashes:
        if policy.mode(rule, namespace):
            raise RuleCrashError(f"rule {rule} failed: {error}")
    if reason := judgement.unjudged:
        return AdmissionDecision(passed=reason, unjudged=f"celvet did not check it: {reason}")
    denials, warnings, audited, would_deny = [], [], [], []
    for each in judgement.findings:
        mode = policy.mode(each.rule, namespace)
        denies = each.severity is Severity.ERROR and not each.known
        if denies and mode is Mode.DENY:
            denials.append(each)
            continue
        if denies and mode:
            would_deny.append(each)
        if mode >= Mode.WARN and each.severity >= Severity.WARNING:
            warnings.append(each)
        elif mode:
            audited.append(each)
    return AdmissionDecision(
        *(tuple(denials), tuple(warnings), tuple(audited), tuple(would_deny)),
        passed=judgement.passed,
        complete=judgement.complete,
    )
