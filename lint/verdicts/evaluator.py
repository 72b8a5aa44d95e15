"""The one interface of all controllers: checks, objects and a time give a verdict.

The package of a controller offers `evaluators(checked)`: an `Evaluator` for each
part of the object that decides by itself, such as an entry of
`healthCheckExprs`, a dependency with its `readyExpr`, the health rule of a
template, or the probes of a bundle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, TypeAlias

from celvet.lint.checks.timing import Timing
from celvet.lint.model import Counterexample, GroupKind, Path, Span, Value
from celvet.lint.verdicts.examples import Example, conventional
from celvet.lint.verdicts.verdict import Verdict
from celvet.record import field, record

if TYPE_CHECKING:
    from celvet.lint.checks import AnyExpression


@record(kw_only=True)
class ClusterState:
    """The input of a decision: objects, time, settings and the previous verdict.

    `objects` are the present objects under check: one for most evaluators, everything that was
    deployed for a bundle or an extension. `owner` is the object that declares the check, as `self`
    of a `readyExpr` shows it; None means as in its file. `settings` are facts outside of manifests,
    such as the checks that a Gardener extension registers in Go. `now` has a time zone; `waited` is
    how long the controller has been waiting, `previous` its last verdict, None the first time.
    """

    objects: Sequence[Value]
    now: datetime
    owner: Value = None
    settings: Mapping[str, Value] = field(default_factory=dict)
    waited: timedelta = timedelta()
    previous: Verdict | None = None

    @property
    def object(self) -> Value:
        """The first object, for an evaluator of a single one; None if it does not exist."""
        return self.objects[0] if self.objects else None

    def covered(self, applies: Callable[[Value], bool]) -> Sequence[Value]:
        """The objects that an evaluator applies to; if there are none, the first.

        The first is None if there is no object at all.
        """
        return [obj for obj in self.objects if applies(obj)] or [self.object]


RuleFault: TypeAlias = Literal["healthy early", "unhealthy early", "never healthy"]


@record
class RuleDiagnosis:
    """A fault of a rule: its diagnosis, its place, and the object that proves it."""

    fault: RuleFault
    path: Path
    counterexample: Counterexample


@record
class Objection:
    """Why a controller refuses an object whose expressions are right each by itself.

    `message` is a clause with the reason, `path` and `span` are the wrong part. `by_schema` says
    that it rests on the schema of a kind, which the cluster may have in another version.
    `consequence` is a clause for an object that the controller does not refuse.
    """

    path: Path
    message: str
    span: Span | None = None
    by_schema: bool = False
    consequence: str = ""
    help: str = ""


class Evaluator(Protocol):
    """Gives verdicts by one part of an object."""

    @property
    def path(self) -> Path:
        """The path of the part in the declaring object; empty for all of it."""

    @property
    def title(self) -> str:
        """The name of the part for people, such as `Certificate.cert-manager.io`."""

    @property
    def group_kind(self) -> GroupKind | None:
        """The objects that the part is about; None if it names none."""

    @property
    def expressions(self) -> Sequence[AnyExpression]:
        """The expressions by which it decides, in the order in which they are tried."""

    @property
    def statuses(self) -> Sequence[str]:
        """Every `Verdict.status` that it can give, in the controller's words."""

    @property
    def builtin(self) -> str:
        """The library that decides instead of the user's checks, such as `kstatus`, or empty."""

    def prevails(self, cluster: ClusterState) -> bool:
        """Whether it answers in place of the evaluators of its parts."""

    @property
    def timing(self) -> Timing:
        """The times of the controller's checks, and when it gives up; empty without a wait."""

    def applies(self, obj: Value) -> bool:
        """Whether the controller evaluates this object by this part."""

    def variables(self, cluster: ClusterState) -> Mapping[str, Value]:
        """The variables of the CEL expressions; a JSONPath reads the object itself."""

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """The verdict of the controller; never raises, whatever the objects contain."""

    def verdict_on(self, obj: Value, now: datetime) -> Verdict:
        """The verdict on one object of a wait, whatever else the controller waits for."""

    def examples(self, declaration: Value) -> Iterator[Example]:
        """Objects with different verdicts, the simplest first, for an evaluator without CEL."""

    def diagnoses(self) -> Iterator[RuleDiagnosis]:
        """The faults of a rule that is not an expression."""


class _Named(Protocol):
    @property
    def group_kind(self) -> GroupKind | None: ...


class _Evaluating(Protocol):
    def evaluate(self, cluster: ClusterState) -> Verdict: ...


class BaseEvaluator:
    """The common base of most evaluators: no CEL, and examples by the API conventions."""

    __slots__ = ()

    builtin: ClassVar[str] = ""

    @property
    def timing(self) -> Timing:
        """No times: the controller does not wait."""
        return Timing()

    def applies(self, _: Value) -> bool:
        """Any object: what the part is about stands elsewhere, or is known only in a cluster."""
        return True

    def prevails(self, _: ClusterState) -> bool:
        """No: the evaluators of parts come first."""
        return False

    def variables(self, _: ClusterState) -> Mapping[str, Value]:
        """No variables: what is built in reads the objects directly."""
        return {}

    def verdict_on(self: _Evaluating, obj: Value, now: datetime) -> Verdict:
        """The verdict on an object as if it were alone in the cluster."""
        return self.evaluate(ClusterState(objects=(obj,), now=now))

    def examples(self: _Named, _: Value) -> Iterator[Example]:
        """An object of the kind during its life, by its condition `Ready`."""
        return conventional(self.group_kind)

    def diagnoses(self) -> Iterator[RuleDiagnosis]:
        """No faults: an expression decides, or nothing that a user writes."""
        return iter(())
