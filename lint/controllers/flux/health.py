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
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState
from celvet.lint.verdicts.flux_cel import evaluate, top_level
from celvet.lint.verdicts.unstructured import kind_of, text_or
from celvet.lint.verdicts.verdict import IGNORED, Verdict
from celvet.lint.verdicts.wait_result import MISSING, decisive, observed
from celvet.record import record, replace
from celvet.schemas.kind_files import is_built_in

_NO_FAIL_FAST = "DisableFailFastBehavior"
"""The feature gate, as a key of the settings, with which one failed object does not end a wait."""

_JOB = GroupKind("batch", "Job")
_KSTATUS = ("Current", "InProgress", "Failed", "Terminating", "Unknown", "NotFound")


@record
class Assessment:
    """The common part of all health checks of one declaration.

    `waiting` says which objects Flux checks, `timing` when; `stalled` is the verdict on everything
    if Flux refuses an entry.
    """

    entries: tuple[Check, ...]
    waiting: Waiting
    stalled: Verdict | None
    timing: Timing
    controller: FluxController
    jobs_first: bool
    jobs_end: bool

    def covering(self, kind: GroupKind) -> Check | None:
        """The entry for objects of a kind: that of the kind, else that of its group."""
        if kind == _JOB and self.jobs_first:
            return None
        wanted = (kind, GroupKind(kind.group, ""))
        found = (entry for key in wanted for entry in self.entries if entry.named == key)
        return next(found, None)

    def verdict(self, obj: Value, now: datetime) -> Verdict:
        """The verdict of Flux on one object."""
        entry = self.covering(kind_of(obj))
        if entry:
            return evaluate(entry, obj)
        return kstatus.read(obj, now) if self.jobs_end else kstatus.compute(obj, now)

    @property
    def more(self) -> tuple[str, ...]:
        """The status of objects that Flux does not check, if there may be any."""
        return () if self.waiting.everything and not self.waiting.exceptions else (IGNORED,)

    def sees(self, obj: Value) -> bool:
        """Whether Flux would check an object if it existed."""
        return any(found is obj for _, found in self.waiting.find_objects([obj]))

    def unseen(self, objects: Sequence[Value]) -> Verdict:
        """The verdict on objects that Flux does not check."""
        passed = next(filter(None, map(self.waiting.exception_for, objects)), None)
        reason = passed.reason if passed else self.waiting.reason
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
        fail_fast = not cluster.settings.get(_NO_FAIL_FAST)
        verdict, error = observed(objects, verdicts, over=over, fail_fast=fail_fast)
        if unplaced := self.waiting.object_of_unknown_namespace(cluster.objects):
            # Flux does not even begin to wait.
            verdict = Verdict(status="Unknown", end="failed")
            named = f"{kind_of(unplaced)} {text_or('', unplaced, 'metadata', 'name')}"
            error = f"resource {named} is namespace scoped, but namespace is not set"
        if not error:
            return verdict
        took = show_duration(cluster.waited // timedelta(microseconds=1) * 1000)
        message = self.controller.failed.format(took=took, error=error)
        return replace(verdict, reason=self.controller.failure, message=message)


@record
class HealthCheck(BaseEvaluator):
    """Evaluates the objects that one entry of `healthCheckExprs` covers.

    If it covers none of the given objects, it evaluates the first.
    """

    assessment: Assessment
    entry: Check

    @property
    def path(self) -> Path:
        """Of the entry."""
        return self.entry.path

    @property
    def title(self) -> str:
        """The kind, or the group."""
        kind = self.entry.named
        return str(kind) if kind.kind else f"every kind of {kind.group or 'the core group'}"

    @property
    def group_kind(self) -> GroupKind | None:
        """None if the entry is for the whole group."""
        return self.entry.named if self.entry.named.kind else None

    @property
    def timing(self) -> Timing:
        """That of the declaration."""
        return self.assessment.timing

    @property
    def expressions(self) -> Sequence[AnyExpression]:
        """In the order of RFC-0009."""
        return tuple(each for role in self.entry.programs for each in self.entry.of(role))

    @property
    def statuses(self) -> Sequence[str]:
        """The statuses that it has an expression for, and those that need none."""
        if self.assessment.stalled:
            return ("Stalled",)
        if not self.assessment.waiting.covers(self.entry.named):
            return (IGNORED,)
        dialect = self.entry.dialect
        given = {dialect.role(role).answer for role in self.entry.programs} if dialect else set()
        without = {"InProgress", "Unknown", "NotFound"}
        return tuple(word for word in _KSTATUS if word in given | without) + self.assessment.more

    def applies(self, obj: Value) -> bool:
        """Whether this entry is the one that covers the object's kind."""
        return self.assessment.covering(kind_of(obj)) is self.entry

    def variables(self, cluster: ClusterState) -> Mapping[str, Value]:
        """The top-level fields of the object that decides."""
        objects = self._covered(cluster)
        if len(objects) == 1:
            return top_level(objects[0])
        return top_level(objects[decisive([*map(self._verdict, objects)])])

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """On all objects together, caused by the one that decides.

        After a failed wait, it has the message of the wait.
        """
        if self.assessment.stalled:
            return self.assessment.stalled
        covered = self._covered(cluster)
        objects = [obj for obj in covered if self.assessment.sees(obj)]
        if not objects:
            return self.assessment.unseen(covered)
        verdicts = [*map(self._verdict, objects)]
        deciding = verdicts[decisive(verdicts)]
        verdict = self.assessment.outcome(objects, verdicts, cluster)
        return replace(verdict, error=deciding.error, cause=deciding.cause)

    def _covered(self, cluster: ClusterState) -> Sequence[Value]:
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
        """That of the declaration."""
        return self.assessment.timing

    @property
    def statuses(self) -> Sequence[str]:
        """The statuses of kstatus, which entries have too."""
        return ("Stalled",) if self.assessment.stalled else (*_KSTATUS, *self.assessment.more)

    def applies(self, _: Value) -> bool:
        """Applies to any object: kstatus evaluates those that no entry covers."""
        return True

    def variables(self, cluster: ClusterState) -> Mapping[str, Value]:
        """The top-level fields of the object."""
        return top_level(cluster.object)

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """The verdict on a single object, or on the wait for several."""
        if self.assessment.stalled:
            return self.assessment.stalled
        seen = self.assessment.waiting.find_objects(cluster.objects or (None,))
        if not seen:
            return self.assessment.unseen(cluster.objects)
        verdicts = [
            _missing(kind_of(name)) if obj is None else self.assessment.verdict(obj, cluster.now)
            for name, obj in seen
        ]
        return self.assessment.outcome([name for name, _ in seen], verdicts, cluster)


def _missing(kind: GroupKind) -> Verdict:
    """The verdict on an object that is not there; the core group has no kinds of others."""
    if kind.group or not kind.kind or is_built_in("", kind.kind):
        return MISSING
    return Verdict(status="Unknown", error=f'no matches for kind "{kind.kind}" in group ""')
