"""What the controllers say of given objects: every part of a file's declarations that applies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from celvet.lint.checks.build import reference_of
from celvet.lint.controllers import judges
from celvet.lint.controllers.judge import Judge, Situation
from celvet.lint.healthtest.model import Unusable
from celvet.lint.healthtest.read.fixtures import unreadable
from celvet.lint.healthtest.read.target import assure_known
from celvet.lint.healthtest.run.answer import Answer, answer
from celvet.lint.manifest import Manifest, whole_objects
from celvet.lint.model import ObjectRef


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The answer by one part of a declaration; `object` is the declaration."""

    object: ObjectRef
    answer: Answer

    @property
    def judged(self) -> list[ObjectRef]:
        """The objects that it is about, all together."""
        return [reference_of(each) for each in self.answer.situation.objects if each is not None]


def evaluations(manifest: Manifest, situation: Situation) -> Iterator[Evaluation]:
    """The answers of all parts that apply to the objects, in the order of the file.

    What a declaration says of objects that none of its entries covers is
    answered only where none does. A part that is about single objects answers
    for each of them, in the order given. Raises `Unusable` for a file that cannot be
    read, and for a text that waits for a variable.
    """
    problem = unreadable(manifest)
    if problem:
        raise Unusable(f"{manifest.name}: {problem.message}", (), problem.help)
    for found in whole_objects(manifest):
        reference = reference_of(found.value)
        for judge in _applying(judges(found.value), situation):
            assure_known(found, judge)
            for seen in _seen(judge, situation):
                yield Evaluation(reference, answer(judge, seen))


def of_each(judge: Judge, situation: Situation) -> Iterator[Evaluation]:
    """The answers of a judge without a declaration, one for each object, or for none at all."""
    for obj in situation.objects or [None]:
        yield Evaluation(ObjectRef(), answer(judge, replace(situation, objects=[obj])))


def _applying(found: Sequence[Judge], situation: Situation) -> list[Judge]:
    applying = [judge for judge in found if any(map(judge.applies, situation.objects))]
    return [judge for judge in applying if judge.path] or applying


def _seen(judge: Judge, situation: Situation) -> Iterator[Situation]:
    """The situation as it is, or for a judge of single objects one for each that it applies to."""
    if not _single(judge):
        yield situation
        return
    for obj in filter(judge.applies, situation.objects):
        yield replace(situation, objects=[obj])


def _single(judge: Judge) -> bool:
    """Whether a judge is about objects one by one, rather than about what comes of all together.

    It names their kind, or it is an entry with texts of its own: a step that
    waits for whatever it applies has neither.
    """
    return judge.group_kind is not None or bool(judge.path and judge.programs)
