"""The first cases of a health test: made-up objects with their present verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.cel import Compiled
from celvet.lint.checks import AnyExpression, Check
from celvet.lint.healthtest.read.cases import TEXTS
from celvet.lint.healthtest.read.target import value_of
from celvet.lint.healthtest.run.answer import Answer, answer
from celvet.lint.healthtest.run.differences import expect_value, role_value
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
    keys: set[str] = set()
    for example in _examples(evaluator, part.declaration.value):
        objects = tuple(_renamed(obj, part) for obj in example.objects)
        if not any(map(evaluator.applies, objects)):
            continue
        cluster = ClusterState(objects=objects, now=latest(objects), settings=example.settings)
        actual_answer = answer(evaluator, cluster)
        verdict = actual_answer.verdict.status or _values(actual_answer)
        key = actual_answer.verdict.status or ("failed" if actual_answer.failed else "values")
        if verdict and key not in keys:
            keys.add(key)
            yield _case(example, objects, verdict)


def _values(actual_answer: Answer) -> dict[str, Value]:
    """The result of each role; one whose name is another key of `expect` cannot stand there."""
    roles = dict.fromkeys(item.expression.role for item in actual_answer.expressions)
    return {
        role: expect_value(role_value(actual_answer, role)) for role in roles if role not in TEXTS
    }


def _case(example: Example, objects: Sequence[Value], verdict: Value) -> dict[str, Value]:
    settings = {"settings": example.settings} if example.settings else {}
    single_object = {"dep" if example.dependency else "object": objects[0]}
    fixtures = single_object if len(objects) == 1 else {"objects": list(objects)}
    return {"name": example.name, "guess": True, **settings, **fixtures, "expect": verdict}


def _renamed(obj: Value, part: TestedPart) -> dict[str, Value]:
    """The object with the names that the part has, and if needed the namespace."""
    fields = part.fields if part.evaluator.group_kind else {}
    version = {key: fields[key] for key in ("apiVersion",) if key in fields}
    names = {key: fields[key] for key in ("name", "namespace") if key in fields}
    new_object = {**obj, **version, "metadata": {**obj.get("metadata", {}), **names}}
    if part.evaluator.applies(new_object):
        return new_object
    namespace = {"namespace": part.reference.namespace}
    return {**new_object, "metadata": {**new_object["metadata"], **namespace}}


def _examples(evaluator: Evaluator, declaring: Value) -> Iterator[Example]:
    """The stock states for CEL expressions, else the examples of the controller's package."""
    expressions = evaluator.expressions
    if any(isinstance(expression.program, Compiled) for expression in expressions):
        return _states(evaluator.group_kind or GroupKind("", ""), expressions)
    return evaluator.examples(declaring)


def _states(kind: GroupKind, expressions: Sequence[AnyExpression]) -> Iterator[Example]:
    api_version = f"{kind.group}/v1" if kind.group else "v1"
    dialect = expressions[0].dialect
    check = Check((), {}, "", (api_version, kind.kind), dialect, tuple(expressions))
    model = check_model(check, None, kind_facts(*kind))
    truth_table = table(model) if model else None
    for row in (*truth_table.rows, *truth_table.witnesses()) if truth_table else ():
        name = f"an object {row.state.description}"
        yield Example(name, (row.state.object,), dependency=bool(model and model.gate))
