"""What the controllers say of given objects: every part of a file's declarations that applies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lint.engine.declare import reference_of
from lint.manifest import Manifest, objects
from lint.model import ObjectRef
from lint.suite.answers import Answer, answer
from lint.suite.fixtures import unreadable
from lint.suite.model import Unusable
from lint.suite.target import assure_known
from lint.systems import judges
from lint.systems.judge import Judge, Situation


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The answer by one part of a declaration; `object` is the declaration."""

    object: ObjectRef
    answer: Answer


def evaluations(manifest: Manifest, situation: Situation) -> Iterator[Evaluation]:
    """The answers of all parts that apply to the objects, in the order of the file.

    What a declaration says of objects that none of its entries covers is
    answered only where none does. Raises `Unusable` for a file that cannot be
    read, and for a text that waits for a variable.
    """
    problem = unreadable(manifest)
    if problem:
        raise Unusable(f"{manifest.name}: {problem.message}", (), problem.help)
    for document in manifest.documents:
        for found in objects(document):
            if found.partial or found.templated:
                continue
            reference = reference_of(found.value)
            for judge in _applying(judges(found.value), situation):
                assure_known(found, judge)
                yield Evaluation(reference, answer(judge, situation))


def _applying(found: Sequence[Judge], situation: Situation) -> list[Judge]:
    applying = [judge for judge in found if any(map(judge.applies, situation.objects))]
    return [judge for judge in applying if judge.path] or applying
