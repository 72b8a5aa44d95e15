"""The evaluators of the objects that a Kustomization or HelmRelease has deployed.

Mirrors `status_reader.go` of `fluxcd/pkg/runtime/cel` (v0.110), and the order
of status readers in the two controllers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import ClassVar

from celvet.lint.checks import AnyExpression, Check, Waiting
from celvet.lint.checks.timing import Timing
from celvet.lint.controllers import kstatus
from celvet.lint.controllers.flux.kinds import FluxController
from celvet.lint.go.durations import show_duration
from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.values import group_kind_of
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState
from celvet.lint.verdicts.flux_cel import evaluate, top_level
from celvet.lint.verdicts.unstructured import text_or
from celvet.lint.verdicts.verdict import IGNORED, Verdict
from celvet.lint.verdicts.wait_result import MISSING, decisive_index, wait_verdict
from celvet.record import record, replace
from celvet.schemas.kind_files import is_built_in

NO_FAIL_FAST = "DisableFailFastBehavior"
"""The feature gate, as a key of the settings, with which one failed object does not end a wait."""

_JOB = GroupKind("batch", "Job")
_KSTATUS = ("Current", "InProgress", "Failed", "Terminating", "Unknown", "NotFound")


@record
class Assessment:
    """The common part of all health checks of one declaration.

    `waiting` says which objects Flux checks, `timing` when; `stall_verdict` is the verdict on
    everything if Flux refuses an entry.
    """

    entries: tuple[Check, ...]
    waiting: Waiting
    stall_verdict: Verdict | None
    timing: Timing
    controller: FluxController
    jobs_first: bool
    jobs_end: bool

    def entry_for(self, kind: GroupKind) -> Check | None:
        """The entry for objects of a kind: that of the kind, else that of its group."""
        if kind == _JOB and self.jobs_first:
            return None
        keys = (kind, GroupKind(kind.group, ""))
        entries = (entry for key in keys for entry in self.entries if entry.named == key)
        return next(entries, None)

    def verdict(self, obj: Value, now: datetime) -> Verdict:
        """The verdict of Flux on one object."""
        entry = self.entry_for(group_kind_of(obj))
        if entry:
            return evaluate(entry, obj)
        return kstatus.read(obj, now) if self.jobs_end else kstatus.compute(obj, now)

    @property
    def ignored_status(self) -> tuple[str, ...]:
        """The status of objects that Flux does not check, if there may be any."""
        return () if self.waiting.everything and not self.waiting.exceptions else (IGNORED,)

    def sees(self, obj: Value) -> bool:
        """Whether Flux would check an object if it existed."""
        return any(listed_object is obj for _, listed_object in self.waiting.find_objects([obj]))

    def ignored_verdict(self, objects: Sequence[Value]) -> Verdict:
        """The verdict on objects that Flux does not check."""
        exception = next(filter(None, map(self.waiting.exception_for, objects)), None)
        reason = exception.reason if exception else self.waiting.reason
        if self.waiting.place and not exception:
            reason += f" ({self.waiting.place})"
        if self.waiting.field:
            reason += f", and `{self.waiting.field}` does not list it"
        return Verdict(status=IGNORED, message=f"Flux does not check it: {reason}")

    def outcome(
        self, objects: Sequence[Value], verdicts: Sequence[Verdict], cluster: ClusterState
    ) -> Verdict:
        """The verdict on the objects together, given the one on each.

        After a failed wait, it has the message of the wait instead of the object's.
        """
        over = self.timing.timeout is not None and cluster.waited >= self.timing.timeout
        fail_fast = not cluster.settings.get(NO_FAIL_FAST)
        verdict, error = wait_verdict(objects, verdicts, over=over, fail_fast=fail_fast)
        if obj := self.waiting.object_of_unknown_namespace(cluster.objects):
            # Flux does not even begin to wait.
            verdict = Verdict(status="Unknown", end="failed")
            name = f"{group_kind_of(obj)} {text_or('', obj, 'metadata', 'name')}"
            error = f"resource {name} is namespace scoped, but namespace is not set"
        if not error:
            return verdict
        took = show_duration(cluster.waited // timedelta(microseconds=1) * 1000)
        message = self.controller.failed.format(took=took, error=error)
        return replace(verdict, reason=self.controller.failure, message=message)


@record
class HealthEvaluator(BaseEvaluator):
    """Evaluates the objects that one entry of `healthCheckExprs` covers.

    If it covers none of the given objects, it evaluates the first.
    """

    assessment: Assessment
    entry: Check

    @property
    def path(self) -> Path:
        """The path of the entry of `healthCheckExprs`."""
        return self.entry.path

    @property
    def title(self) -> str:
        """The kind, or the group."""
        kind = self.entry.named
        return str(kind) if kind.kind else f"every kind of {kind.group or 'the core group'}"

    @property
    def group_kind(self) -> GroupKind | None:
        """The kind of the entry; None if it is for the whole group."""
        return self.entry.named if self.entry.named.kind else None

    @property
    def timing(self) -> Timing:
        """When Flux checks the objects of the declaration."""
        return self.assessment.timing

    @property
    def expressions(self) -> Sequence[AnyExpression]:
        """The expressions of the entry, in the order of RFC-0009."""
        return tuple(
            expression for role in self.entry.programs for expression in self.entry.of(role)
        )

    @property
    def statuses(self) -> Sequence[str]:
        """The statuses that it has an expression for, and those that need none."""
        if self.assessment.stall_verdict:
            return ("Stalled",)
        if not self.assessment.waiting.covers(self.entry.named):
            return (IGNORED,)
        dialect = self.entry.dialect
        answers = {dialect.role(role).answer for role in self.entry.programs} if dialect else set()
        other_statuses = {"InProgress", "Unknown", "NotFound"}
        return (
            tuple(word for word in _KSTATUS if word in answers | other_statuses)
            + self.assessment.ignored_status
        )

    def applies(self, obj: Value) -> bool:
        """Whether this entry is the one that covers the object's kind."""
        return self.assessment.entry_for(group_kind_of(obj)) is self.entry

    def variables(self, cluster: ClusterState) -> Mapping[str, Value]:
        """The top-level fields of the object that decides."""
        objects = self._objects(cluster)
        if len(objects) == 1:
            return top_level(objects[0])
        return top_level(objects[decisive_index([*map(self._verdict, objects)])])

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """The verdict on all objects together, caused by the one that decides.

        After a failed wait, it has the message of the wait.
        """
        if self.assessment.stall_verdict:
            return self.assessment.stall_verdict
        covered_objects = self._objects(cluster)
        objects = [obj for obj in covered_objects if self.assessment.sees(obj)]
        if not objects:
            return self.assessment.ignored_verdict(covered_objects)
        verdicts = [*map(self._verdict, objects)]
        deciding = verdicts[decisive_index(verdicts)]
        verdict = self.assessment.outcome(objects, verdicts, cluster)
        return replace(verdict, error=deciding.error, cause=deciding.cause)

    def _objects(self, cluster: ClusterState) -> Sequence[Value]:
        """The objects under check, None for each that is not in the cluster."""
        return cluster.covered(lambda obj: obj is None or self.applies(obj))

    def _verdict(self, obj: Value) -> Verdict:
        return MISSING if obj is None else evaluate(self.entry, obj)


@record
class FluxWait(BaseEvaluator):
    """Evaluates everything that was deployed, each object by what covers it, like the wait.

    Its expressions are those of the entries, which also have their own evaluators.
    """

    builtin: ClassVar[str] = "kstatus"

    assessment: Assessment

    path: Path = ()
    title: str = "health of all objects"
    group_kind: GroupKind | None = None
    expressions: Sequence[AnyExpression] = ()

    @property
    def timing(self) -> Timing:
        """When Flux checks the objects of the declaration."""
        return self.assessment.timing

    @property
    def statuses(self) -> Sequence[str]:
        """The statuses of kstatus, which entries have too."""
        if self.assessment.stall_verdict:
            return ("Stalled",)
        return (*_KSTATUS, *self.assessment.ignored_status)

    def variables(self, cluster: ClusterState) -> Mapping[str, Value]:
        """The top-level fields of the object."""
        return top_level(cluster.object)

    def verdict_on(self, obj: Value, now: datetime) -> Verdict:
        """The verdict on one object, listed or not."""
        return self.assessment.verdict(obj, now)

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """The verdict on a single object, or on the wait for several."""
        if self.assessment.stall_verdict:
            return self.assessment.stall_verdict
        watched_objects = self.assessment.waiting.find_objects(cluster.objects or (None,))
        if not watched_objects:
            return self.assessment.ignored_verdict(cluster.objects)
        verdicts = [
            _missing_verdict(group_kind_of(name))
            if obj is None
            else self.assessment.verdict(obj, cluster.now)
            for name, obj in watched_objects
        ]
        return self.assessment.outcome([name for name, _ in watched_objects], verdicts, cluster)


def _missing_verdict(kind: GroupKind) -> Verdict:
    """The verdict on an object that is not there; the core group has no kinds of others."""
    if kind.group or not kind.kind or is_built_in("", kind.kind):
        return MISSING
    return Verdict(status="Unknown", error=f'no matches for kind "{kind.kind}" in group ""')
