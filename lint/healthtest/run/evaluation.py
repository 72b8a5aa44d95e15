"""What the controllers say of given objects: every part of a file's declarations that applies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from celvet.lint.checks import check_found, reference_of
from celvet.lint.controllers import evaluators
from celvet.lint.controllers.evaluator import ClusterState, Evaluator
from celvet.lint.healthtest.model import Unusable
from celvet.lint.healthtest.read.fixtures import unreadable
from celvet.lint.healthtest.read.target import assure_known
from celvet.lint.healthtest.run.answer import Answer, answer
from celvet.lint.manifest import KubeObject, Manifest, whole_objects
from celvet.lint.manifest.objects.resourceset import is_resource_set
from celvet.lint.model import ObjectRef
from celvet.schemas import Catalog


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The answer by one part of a declaration; `object` is the declaration."""

    object: ObjectRef
    answer: Answer

    @property
    def judged(self) -> list[ObjectRef]:
        """The objects that it is about, all together."""
        return [reference_of(each) for each in self.answer.cluster.objects if each is not None]


def evaluations(
    manifest: Manifest, cluster: ClusterState, catalog: Catalog
) -> Iterator[Evaluation]:
    """The answers of all parts that apply to the objects, in the order of the file.

    What a declaration says of objects that none of its entries covers is
    answered only where none does. A part that is about single objects answers
    for each of them, in the order given. Raises `Unusable` for a file that cannot be
    read, and for a text that waits for a variable.
    """
    problem = unreadable(manifest)
    if problem:
        raise Unusable(f"{manifest.name}: {problem.message}", (), problem.help)
    for found in _declarations(manifest):
        reference = reference_of(found.value)
        for evaluator in _applying(evaluators(check_found(found, catalog)), cluster):
            assure_known(found, evaluator)
            for seen in _seen(evaluator, cluster):
                yield Evaluation(reference, answer(evaluator, seen))


def _declarations(manifest: Manifest) -> Iterator[KubeObject]:
    """The objects of a file, then those that its ResourceSets render.

    A ResourceSet that cannot be built renders none; `celvet lint` reports why.
    """
    found = list(whole_objects(manifest))
    yield from found
    if any(is_resource_set(each.value) for each in found):
        from celvet.lint.engine.renderings import rendered_objects, renderings

        yield from rendered_objects(renderings(found))


def of_each(evaluator: Evaluator, cluster: ClusterState) -> Iterator[Evaluation]:
    """The answers of a bare expression: one for each object, or one for no object at all."""
    for obj in cluster.objects or [None]:
        yield Evaluation(ObjectRef(), answer(evaluator, replace(cluster, objects=[obj])))


def _applying(found: Sequence[Evaluator], cluster: ClusterState) -> list[Evaluator]:
    applying = [evaluator for evaluator in found if any(map(evaluator.applies, cluster.objects))]
    return [evaluator for evaluator in applying if evaluator.path] or applying


def _seen(evaluator: Evaluator, cluster: ClusterState) -> Iterator[ClusterState]:
    """The cluster as it is; for an evaluator of single objects, one for each."""
    if not _single(evaluator):
        yield cluster
        return
    for obj in filter(evaluator.applies, cluster.objects):
        yield replace(cluster, objects=[obj])


def _single(evaluator: Evaluator) -> bool:
    """Whether an evaluator is about objects one by one, rather than all together.

    It names their kind, or it is an entry with texts of its own: a step that
    waits for whatever it applies has neither.
    """
    return evaluator.group_kind is not None or bool(evaluator.path and evaluator.expressions)
