"""The decision on a judged review. No HTTP, no clock, no files."""

from __future__ import annotations

from celvet.lint.model import Severity
from celvet.record import record
from celvet.webhook.decide.policy import AdmissionPolicy, Mode
from celvet.webhook.judgement import FindingRecord, Judgement


class RuleCrashError(Exception):
    """A rule crashed: a bug in celvet, which must neither allow nor deny an object."""


@record(kw_only=True)
class AdmissionDecision:
    """The answer to a review, and its reason.

    `audit_findings` go only to the audit log. `would_deny` are the audit findings and warnings that
    would deny under `enforce: deny`. `skip_reason` is why the object was not linted, empty if it
    was. `failure_warning` tells the user that the object could not be linted. A decision that is
    not `complete` may lack warnings; `omitted` is the number of findings that it lacks.
    """

    denials: tuple[FindingRecord, ...] = ()
    warnings: tuple[FindingRecord, ...] = ()
    audit_findings: tuple[FindingRecord, ...] = ()
    would_deny: tuple[FindingRecord, ...] = ()
    skip_reason: str = ""
    failure_warning: str = ""
    complete: bool = True
    omitted: int = 0

    @property
    def allowed(self) -> bool:
        """Whether the object may be written."""
        return not self.denials

    @property
    def findings(self) -> tuple[FindingRecord, ...]:
        """All findings, most severe first."""
        return (*self.denials, *self.warnings, *self.audit_findings)

    @property
    def verdict(self) -> str:
        """The outcome in a word: a label of metrics, a field of the log."""
        if self.failure_warning:
            return "unjudged"
        if self.denials:
            return "denied"
        return "would-be-denied" if self.would_deny else "allowed"


def decide(judgement: Judgement, policy: AdmissionPolicy, namespace: str) -> AdmissionDecision:
    """The decision on a review in a namespace; raises `RuleCrashError`.

    Errors that the object had before an update deny nothing. Advice (`INFO`) only goes to the audit
    log, whatever its mode.
    """
    # A rule that is off in this namespace may crash: its findings would not count either.
    for rule, error in judgement.crashes:
        if policy.mode(rule, namespace):
            raise RuleCrashError(f"rule {rule} failed: {error}")
    if reason := judgement.failure:
        return AdmissionDecision(
            skip_reason=reason, failure_warning=f"celvet did not check it: {reason}"
        )
    denials, warnings, audit_findings, would_deny = [], [], [], []
    for finding in judgement.findings:
        mode = policy.mode(finding.rule, namespace)
        denies = finding.severity is Severity.ERROR and not finding.is_old
        if denies and mode is Mode.DENY:
            denials.append(finding)
            continue
        # The finding is reported in a milder way as well.
        if denies and mode:
            would_deny.append(finding)
        if mode >= Mode.WARN and finding.severity >= Severity.WARNING:
            warnings.append(finding)
        elif mode:
            audit_findings.append(finding)
    return AdmissionDecision(
        denials=tuple(denials),
        warnings=tuple(warnings),
        audit_findings=tuple(audit_findings),
        would_deny=tuple(would_deny),
        skip_reason=judgement.exemption,
        complete=judgement.complete,
        omitted=judgement.omitted,
    )
