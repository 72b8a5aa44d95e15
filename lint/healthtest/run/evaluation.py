"""Evaluates objects by every check of a file that applies to them, or by one expression."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.cel import compile_expression
from celvet.lint.checks import AnyExpression, CheckedObject, Expression, check_found
from celvet.lint.controllers import evaluators
from celvet.lint.healthtest.read.declarations import Declaration, declarations
from celvet.lint.healthtest.read.fixtures import require_readable
from celvet.lint.healthtest.read.target import assure_known
from celvet.lint.healthtest.run.answer import Answer, answer
from celvet.lint.jsonpath import compile_path
from celvet.lint.manifest import Manifest
from celvet.lint.model import GroupKind, ObjectRef, Path, Value
from celvet.lint.values import object_ref_of
from celvet.lint.verdicts.check_evaluator import variables_of
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState, Evaluator
from celvet.lint.verdicts.inventory import entry_of, inventory
from celvet.lint.verdicts.verdict import Verdict
from celvet.record import record, replace
from celvet.schemas import Catalog, Dialect


@record
class Evaluation:
    """The answer of one evaluator; `object` is the object that declares it.

    `declaration` is that object in its `file`; None for a bare expression.
    """

    object: ObjectRef
    answer: Answer
    declaration: Declaration | None = None
    file: str = ""

    @property
    def objects(self) -> list[ObjectRef]:
        """The objects that were evaluated."""
        return [object_ref_of(obj) for obj in self.answer.cluster.objects if obj is not None]


def evaluations(
    manifest: Manifest, cluster: ClusterState, catalog: Catalog
) -> Iterator[Evaluation]:
    """The answers of all evaluators that apply to the objects, in the order of the file.

    The evaluator of a whole object answers only if no evaluator of a part of it applies, or if it
    prevails over those. One that
    is about single objects answers for each, in the order given. A live object waits for what is in
    its inventory, and for what it lists. Raises `UnusableTestError` for a file that cannot be read,
    and for a text with an unresolved variable.
    """
    require_readable(manifest)
    for declaration in declarations(manifest):
        obj = declaration.obj
        reference = object_ref_of(obj.value)
        checked = check_found(obj, catalog)
        objects = _waited_objects(checked, cluster)
        for evaluator in _applying(evaluators(checked), cluster, objects):
            assure_known(obj, evaluator)
            for state in _seen(evaluator, objects if is_wait(evaluator) else cluster):
                yield Evaluation(reference, answer(evaluator, state), declaration, manifest.name)


def of_each(evaluator: Evaluator, cluster: ClusterState) -> Iterator[Evaluation]:
    """The answers of a bare expression: one for each object, or one without an object."""
    for obj in cluster.objects or [None]:
        yield Evaluation(ObjectRef(), answer(evaluator, replace(cluster, objects=[obj])))


def is_wait(evaluator: Evaluator) -> bool:
    """Whether an evaluator waits for what its object applies or lists."""
    return evaluator.timing.timeout is not None


def _waited_objects(checked: CheckedObject, cluster: ClusterState) -> ClusterState:
    """The state with only the objects for which a live declaration waits."""
    applied_objects = inventory(checked.value)
    if applied_objects is None:
        return cluster
    listed_objects = (
        () if checked.waiting.everything else checked.waiting.find_objects(cluster.objects)
    )
    return replace(
        cluster,
        objects=[
            obj
            for obj in cluster.objects
            if entry_of(obj) in applied_objects or any(obj is item for _, item in listed_objects)
        ],
    )


def _applying(
    candidates: Sequence[Evaluator], cluster: ClusterState, waited: ClusterState
) -> list[Evaluator]:
    applying = [
        evaluator
        for evaluator in candidates
        if any(map(evaluator.applies, (waited if is_wait(evaluator) else cluster).objects))
    ]
    prevailing = [evaluator for evaluator in applying if evaluator.prevails(cluster)]
    return prevailing or [evaluator for evaluator in applying if evaluator.path] or applying


def _seen(evaluator: Evaluator, cluster: ClusterState) -> Iterator[ClusterState]:
    """The state as it is; for an evaluator of single objects, one state for each."""
    if not _single(evaluator):
        yield cluster
        return
    for obj in filter(evaluator.applies, cluster.objects):
        yield replace(cluster, objects=[obj])


def _single(evaluator: Evaluator) -> bool:
    """Whether an evaluator is about objects one by one, rather than all together.

    It does if it names their kind or has expressions. A step that waits for everything it applies
    has neither.
    """
    return evaluator.group_kind is not None or bool(evaluator.path and evaluator.expressions)


@record
class BareExpression(BaseEvaluator):
    """One expression of a dialect; it gives no verdict, only a value."""

    text: str
    dialect: Dialect
    path: Path = ()
    group_kind: GroupKind | None = None
    statuses: tuple[str, ...] = ("",)

    @property
    def title(self) -> str:
        """The dialect, by which the text is read."""
        return self.dialect.name

    @property
    def expressions(self) -> tuple[AnyExpression]:
        """The text as the only expression, compiled by its dialect."""
        if self.dialect.language != "cel":
            return (Expression((), "expression", compile_path(self.text, self.dialect)),)
        return (Expression((), "expression", compile_expression(self.text, self.dialect)),)

    def variables(self, cluster: ClusterState) -> Mapping[str, Value]:
        """The object and its owner, as the dialect shows them."""
        return variables_of(self.dialect, cluster, {}, cluster.object)

    def evaluate(self, _: ClusterState) -> Verdict:
        """An empty verdict: without an object around it, the expression has none."""
        return Verdict(status="")
