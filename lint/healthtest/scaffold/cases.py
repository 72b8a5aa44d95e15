"""The first cases of a health test: made-up objects with their present verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.cel import Compiled
from celvet.lint.checks import AnyExpression, Check
from celvet.lint.healthtest.read.target import value_of
from celvet.lint.healthtest.timestamps import latest
from celvet.lint.manifest import KubeObject
from celvet.lint.model import GroupKind, ObjectRef, Value
from celvet.lint.predict import check_model, table
from celvet.lint.values import object_ref_of
from celvet.lint.verdicts.evaluator import ClusterState, Evaluator
from celvet.lint.verdicts.examples import Example
from celvet.record import record
from celvet.schemas import kind_facts


@record
class TestedPart:
    """An evaluator that gets a test; `among` are all evaluators of the same object."""

    declaration: KubeObject
    evaluator: Evaluator
    among: Sequence[Evaluator]

    @property
    def reference(self) -> ObjectRef:
        """The names of the declaring object."""
        return object_ref_of(self.declaration.value)

    @property
    def fields(self) -> Mapping[str, Value]:
        """The fields of the part; empty for the evaluator of a whole object."""
        part = value_of(self.declaration.value, self.evaluator) if self.evaluator.path else {}
        return part if isinstance(part, Mapping) else {}


def first_cases(part: TestedPart) -> Iterator[dict[str, Value]]:
    """One case for each verdict: the first example that gets it."""
    evaluator = part.evaluator
    seen: set[str] = set()
    for made in _examples(evaluator, part.declaration.value):
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
    return {"name": made.name, "guess": True, **settings, **shown, "expect": verdict}


def _renamed(obj: Value, part: TestedPart) -> dict[str, Value]:
    """The object with the names that the part has, and if needed the namespace."""
    fields = part.fields if part.evaluator.group_kind else {}
    version = {key: fields[key] for key in ("apiVersion",) if key in fields}
    names = {key: fields[key] for key in ("name", "namespace") if key in fields}
    renamed = {**obj, **version, "metadata": {**obj.get("metadata", {}), **names}}
    if part.evaluator.applies(renamed):
        return renamed
    namespace = {"namespace": part.reference.namespace}
    return {**renamed, "metadata": {**renamed["metadata"], **namespace}}


def _examples(evaluator: Evaluator, declaring: Value) -> Iterator[Example]:
    """The stock states for CEL expressions, else the examples of the controller's package."""
    expressions = evaluator.expressions
    if any(isinstance(each.program, Compiled) for each in expressions):
        return _states(evaluator.group_kind or GroupKind("", ""), expressions)
    return evaluator.examples(declaring)


def _states(kind: GroupKind, expressions: Sequence[AnyExpression]) -> Iterator[Example]:
    api_version = f"{kind.group}/v1" if kind.group else "v1"
    dialect = expressions[0].dialect
    check = Check((), {}, "", (api_version, kind.kind), dialect, tuple(expressions))
    model = check_model(check, None, kind_facts(kind.group, kind.kind))
    known = table(model) if model else None
    for row in (*known.rows, *known.witnesses()) if known else ():
        name = f"an object {row.state.description}"
        yield Example(name, (row.state.object,), dependency=bool(model and model.gate))
