"""The decision on a review. No HTTP, no clock, no files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from celvet.lint.model import Severity, Value
from celvet.schemas import Catalog
from celvet.webhook.decide.exemption import exemption
from celvet.webhook.decide.new_errors import new_errors
from celvet.webhook.decide.normalize import normalized
from celvet.webhook.decide.policy import AdmissionPolicy, Mode
from celvet.webhook.decide.review import Review
from celvet.webhook.lint_result import FindingRecord, LintResult

MAX_OBJECT = 1536 * 1024
"""Bytes of the largest object that is linted: what etcd takes by default."""

_TOO_DEEP = "the object is nested too deep"


class RuleCrashError(Exception):
    """A rule failed. That is a defect, which neither allows nor denies an object."""


class Linter(Protocol):
    """Lints objects."""

    async def lint(self, text: bytes, *, opt_out: bool) -> LintResult:
        """The result for an object in JSON."""
        ...


@dataclass(frozen=True, slots=True)
class AdmissionDecision:
    """What the API server is told about a review, and why.

    `passed` is the reason why the object was not linted, empty if it was. `unjudged` is
    a warning about that, for reasons that the user should know.
    """

    denials: tuple[FindingRecord, ...] = ()
    warnings: tuple[FindingRecord, ...] = ()
    audited: tuple[FindingRecord, ...] = ()
    passed: str = ""
    unjudged: str = ""

    @property
    def allowed(self) -> bool:
        """Whether the object may be written."""
        return not self.denials

    @property
    def findings(self) -> tuple[FindingRecord, ...]:
        """All of them, most severe first."""
        return (*self.denials, *self.warnings, *self.audited)


class Admission:
    """Decides on reviews; `policy` is called for each."""

    def __init__(
        self, linter: Linter, policy: Callable[[], AdmissionPolicy], catalog: Catalog
    ) -> None:
        self._linter = linter
        self._policy = policy
        self._catalog = catalog

    async def decide(self, review: Review) -> AdmissionDecision:
        """The decision; raises `RuleCrashError`, and what the linter raises."""
        try:
            if passed := exemption(review, self._catalog):
                return AdmissionDecision(passed=passed)
            return _unjudged(_TOO_DEEP) if review.deep else await self._decide(review)
        except RecursionError:
            return _unjudged(_TOO_DEEP)

    async def _decide(self, review: Review) -> AdmissionDecision:
        policy = self._policy()
        result = await self._lint(review.object or {}, policy, review.namespace)
        if result is None:
            return _unjudged(f"the object is larger than {MAX_OBJECT // 1024} KiB")
        if result.limit_exceeded:
            return _unjudged("checking the object takes too long")
        modes = [(each, policy.mode(each.rule, review.namespace)) for each in result.findings]
        denying = {each for each, mode in modes if _denies(each, mode)}
        if denying and review.old_object is not None:
            before = await self._lint(review.old_object, policy, review.namespace)
            comparable = before is not None and before.complete
            denying = new_errors(denying, before.findings) if before and comparable else set()
        return _decision(modes, denying)

    async def _lint(
        self, object_: Mapping[str, Value], policy: AdmissionPolicy, namespace: str
    ) -> LintResult | None:
        """The result for an object; None if it is too large."""
        text = normalized(object_)
        if len(text) > MAX_OBJECT:
            return None
        result = await self._linter.lint(text, opt_out=policy.opt_out)
        for rule, error in result.crashes:
            if policy.mode(rule, namespace):
                raise RuleCrashError(f"rule {rule} failed: {error}")
        return result


def _unjudged(reason: str) -> AdmissionDecision:
    return AdmissionDecision(passed=reason, unjudged=f"celvet did not check it: {reason}")


def _denies(finding: FindingRecord, mode: Mode) -> bool:
    return mode is Mode.DENY and finding.severity is Severity.ERROR


def _decision(
    modes: Sequence[tuple[FindingRecord, Mode]], denying: set[FindingRecord]
) -> AdmissionDecision:
    """Advice (`INFO`) goes to the audit log alone, whatever its mode."""
    ordered = sorted(modes, key=lambda pair: -pair[0].severity)
    denials, warnings, audited = [], [], []
    for each, mode in ordered:
        if each in denying:
            denials.append(each)
        elif mode >= Mode.WARN and each.severity >= Severity.WARNING:
            warnings.append(each)
        elif mode:
            audited.append(each)
    return AdmissionDecision(tuple(denials), tuple(warnings), tuple(audited))
