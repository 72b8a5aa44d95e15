"""The decision on a review. No HTTP, no clock, no files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from celvet.lint.model import Severity, Value
from celvet.schemas import Catalog
from celvet.webhook.decide.exemption import exemption
from celvet.webhook.decide.new_errors import added
from celvet.webhook.decide.normalize import subject
from celvet.webhook.decide.policy import Mode, Policy
from celvet.webhook.decide.review import Review
from celvet.webhook.lint_result import Judgement, Objection

MAX_SUBJECT = 1536 * 1024
"""Bytes of an object that is judged: what etcd takes by default."""

_TOO_DEEP = "the object is nested too deep"


class RuleCrashError(Exception):
    """A rule failed: our mistake, which neither allows nor denies."""


class Judge(Protocol):
    """Where objects are judged."""

    async def judge(self, text: bytes, *, opt_out: bool) -> Judgement:
        """What there is to say of an object in JSON."""
        ...


@dataclass(frozen=True, slots=True)
class Decision:
    """What the API server is told of a review, and why.

    `passed` is why it was not judged, empty if it was. `unjudged` is what its user
    is told of that where they should know.
    """

    denials: tuple[Objection, ...] = ()
    warnings: tuple[Objection, ...] = ()
    audited: tuple[Objection, ...] = ()
    passed: str = ""
    unjudged: str = ""

    @property
    def allowed(self) -> bool:
        """Whether the object may be written."""
        return not self.denials

    @property
    def objections(self) -> tuple[Objection, ...]:
        """All of them, most severe first."""
        return (*self.denials, *self.warnings, *self.audited)


class Admission:
    """Decides reviews by what a judge says and by a policy, asked for anew each time."""

    def __init__(self, judge: Judge, policy: Callable[[], Policy], catalog: Catalog) -> None:
        self._judge = judge
        self._policy = policy
        self._catalog = catalog

    async def decide(self, review: Review) -> Decision:
        """Whether a review is allowed; raises `RuleCrashError`, and what the judge raises."""
        try:
            if passed := exemption(review, self._catalog):
                return Decision(passed=passed)
            return _unjudged(_TOO_DEEP) if review.deep else await self._decided(review)
        except RecursionError:
            return _unjudged(_TOO_DEEP)

    async def _decided(self, review: Review) -> Decision:
        policy = self._policy()
        judgement = await self._judged(review.object or {}, policy, review.namespace)
        if judgement is None:
            return _unjudged(f"the object is larger than {MAX_SUBJECT // 1024} KiB")
        if judgement.exhausted:
            return _unjudged("judging the object takes too long")
        modes = [(each, policy.mode(each.rule, review.namespace)) for each in judgement.objections]
        denying = {each for each, mode in modes if _denies(each, mode)}
        if denying and review.old_object is not None:
            before = await self._judged(review.old_object, policy, review.namespace)
            comparable = before is not None and before.complete
            denying = added(denying, before.objections) if before and comparable else set()
        return _decision(modes, denying)

    async def _judged(
        self, object_: Mapping[str, Value], policy: Policy, namespace: str
    ) -> Judgement | None:
        """What there is to say of an object; None if it is too large."""
        text = subject(object_)
        if len(text) > MAX_SUBJECT:
            return None
        judgement = await self._judge.judge(text, opt_out=policy.opt_out)
        for rule, error in judgement.crashes:
            if policy.mode(rule, namespace):
                raise RuleCrashError(f"rule {rule} failed: {error}")
        return judgement


def _unjudged(reason: str) -> Decision:
    return Decision(passed=reason, unjudged=f"celvet did not check it: {reason}")


def _denies(objection: Objection, mode: Mode) -> bool:
    return mode is Mode.DENY and objection.severity is Severity.ERROR


def _decision(modes: Sequence[tuple[Objection, Mode]], denying: set[Objection]) -> Decision:
    """Advice (`INFO`) is nothing to tell a user of the cluster: it is recorded."""
    ordered = sorted(modes, key=lambda pair: -pair[0].severity)
    denials, felt, recorded = [], [], []
    for each, mode in ordered:
        if each in denying:
            denials.append(each)
        elif mode >= Mode.WARN and each.severity >= Severity.WARNING:
            felt.append(each)
        elif mode:
            recorded.append(each)
    return Decision(tuple(denials), tuple(felt), tuple(recorded))
