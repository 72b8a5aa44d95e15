"""The cases that a health test begins with: made-up objects, and the verdicts of today."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from celvet.lint.checks.build import reference_of
from celvet.lint.controllers.evaluator import ClusterState, Evaluator
from celvet.lint.controllers.examples import Example
from celvet.lint.healthtest.read.target import part_of
from celvet.lint.healthtest.scaffold.examples import examples
from celvet.lint.healthtest.timestamps import latest
from celvet.lint.manifest import KubeObject
from celvet.lint.model import ObjectRef, Value


@dataclass(frozen=True, slots=True)
class Part:
    """What a test is begun for: one of the evaluators of a declaration."""

    declaration: KubeObject
    evaluator: Evaluator
    among: Sequence[Evaluator]

    @property
    def reference(self) -> ObjectRef:
        """The names of the declaration."""
        return reference_of(self.declaration.value)

    @property
    def fields(self) -> Mapping[str, Value]:
        """The fields of the part, none of a whole."""
        part = part_of(self.declaration.value, self.evaluator) if self.evaluator.path else {}
        return part if isinstance(part, Mapping) else {}


def first_cases(part: Part) -> Iterator[dict[str, Value]]:
    """The first cluster of each verdict."""
    evaluator = part.evaluator
    seen: set[str] = set()
    for made in examples(evaluator, part.declaration.value):
        objects = tuple(_renamed(obj, part) for obj in made.objects)
        if not any(map(evaluator.applies, objects)):
            continue
        cluster = ClusterState(objects=objects, now=latest(objects), settings=made.settings)
        verdict = evaluator.evaluate(cluster).status
        if verdict not in seen:
            seen.add(verdict)
            yield _case(made, objects, verdict)


def _case(made: Example, objects: Sequence[Value], verdict: str) -> dict[str, Value]:
    settings = {"settings": made.settings} if made.settings else {}
    one = {"dep" if made.dependency else "object": objects[0]}
    shown = one if len(objects) == 1 else {"objects": list(objects)}
    return {"name": made.name, **settings, **shown, "expect": verdict}


def _renamed(obj: Value, part: Part) -> dict[str, Value]:
    """The object as the part names it, in the namespace of the declaration if need be."""
    fields = part.fields if part.evaluator.group_kind else {}
    version = {key: fields[key] for key in ("apiVersion",) if key in fields}
    names = {key: fields[key] for key in ("name", "namespace") if key in fields}
    renamed = {**obj, **version, "metadata": {**obj.get("metadata", {}), **names}}
    if part.evaluator.applies(renamed):
        return renamed
    namespace = {"namespace": part.reference.namespace}
    return {**renamed, "metadata": {**renamed["metadata"], **namespace}}
