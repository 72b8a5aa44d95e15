"""The first cases of a health test: made-up objects with their present verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.cel import Compiled
from celvet.lint.checks import AnyExpression, Check
from celvet.lint.healthtest.read.cases import TEXTS
from celvet.lint.healthtest.read.target import value_of
from celvet.lint.healthtest.run.answer import Answer, answer
from celvet.lint.healthtest.run.differences import role_value, written
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
    def name(self) -> str:
        """What a test calls the declaring object: its name, or its kind if it has none."""
        return self.reference.name or self.reference.kind

    @property
    def fields(self) -> Mapping[str, Value]:
        """The fields of the part; empty for the evaluator of a whole object."""
        part = value_of(self.declaration.value, self.evaluator) if self.evaluator.path else {}
        return part if isinstance(part, Mapping) else {}


def first_cases(part: TestedPart) -> Iterator[dict[str, Value]]:
    """One case for each verdict: the first example that gets it.

    Without verdicts, one with the values of the expressions, and one with an error.
    """
    evaluator = part.evaluator
    seen: set[str] = set()
    for made in _examples(evaluator, part.declaration.value):
        objects = tuple(_renamed(obj, part) for obj in made.objects)
        if not any(map(evaluator.applies, objects)):
            continue
        cluster = ClusterState(objects=objects, now=latest(objects), settings=made.settings)
        given = answer(evaluator, cluster)
        expected = given.verdict.status or _values(given)
        key = given.verdict.status or ("failed" if given.failed else "values")
        if expected and key not in seen:
            seen.add(key)
            yield _case(made, objects, expected)


def _values(given: Answer) -> dict[str, Value]:
    """The result of each role; one whose name is another key of `expect` cannot stand there."""
    roles = dict.fromkeys(each.expression.role for each in given.expressions)
    return {role: written(role_value(given, role)) for role in roles if role not in TEXTS}


def _case(made: Example, objects: Sequence[Value], verdict: Value) -> dict[str, Value]:
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
