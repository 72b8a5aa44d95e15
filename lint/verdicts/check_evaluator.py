"""Evaluates the CEL expressions of a check as its dialect describes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from celvet.lint.checks import AnyExpression, CelExpression, Check
from celvet.lint.model import GroupKind, Path, Value, field_path
from celvet.lint.values import group_kind_of, list_at, mapping_at, object_ref_of, text_at
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState
from celvet.lint.verdicts.flux_cel import evaluate, top_level
from celvet.lint.verdicts.verdict import CauseText, Verdict
from celvet.lint.verdicts.wait_result import MISSING
from celvet.record import record, replace
from celvet.schemas import Dialect
from celvet.schemas.walk import steps


@record
class _NamedValues:
    """The variables with the values of the named expressions.

    `failed` is the first that failed, with its `error`; the values behind it are missing.
    """

    variables: Mapping[str, Value]
    failed: CelExpression | None = None
    error: str = ""


@record
class OneCheckEvaluator(BaseEvaluator):
    """The base of the evaluators by one check, about objects of the kind that it names."""

    check: Check

    name_field: ClassVar[str] = "name"
    """The field of the check that tells it from others of the same kind."""

    @property
    def path(self) -> Path:
        """The path of the check in the declaring object."""
        return self.check.path

    @property
    def title(self) -> str:
        """The kind and the name of the resource."""
        kind, name = self.check.group_kind, text_at(self.check.value, (self.name_field,))
        return f"{kind if kind.kind else ''} {name}".strip() or "a resource"

    @property
    def group_kind(self) -> GroupKind | None:
        """The kind of the objects under check; None if the check names none."""
        return self.check.group_kind if self.check.group_kind.kind else None

    @property
    def expressions(self) -> Sequence[AnyExpression]:
        """The check's CEL expressions."""
        return self.check.cel

    def applies(self, obj: Value) -> bool:
        """Whether the object has the kind that the check names; any object if it names none."""
        return self.group_kind in (None, group_kind_of(obj))


@record
class CheckEvaluator(OneCheckEvaluator):
    """Evaluates the CEL expressions of one check on one object."""

    dialect: Dialect
    declaration: Value

    @property
    def title(self) -> str:
        """The kind of the objects, or the field of the check."""
        kind = self.check.group_kind
        return str(kind) if kind.kind else field_path(self.check.path) or "the object"

    @property
    def statuses(self) -> Sequence[str]:
        """The verdicts of the roles, and those that need no expression."""
        answers = (self.dialect.role(expression.role).answer for expression in self.expressions)
        other_statuses = (self.dialect.otherwise, self.dialect.fails, MISSING.status)
        return tuple(dict.fromkeys(word for word in (*answers, *other_statuses) if word)) or ("",)

    def applies(self, obj: Value) -> bool:
        """Whether the check is about the object, or about one that is not there."""
        return obj is None or self.group_kind in (None, group_kind_of(obj))

    def variables(self, cluster: ClusterState) -> Mapping[str, Value]:
        """The object as a variable, together with the owner, or its top-level fields."""
        return self._named_values(cluster).variables

    def _named_values(self, cluster: ClusterState) -> _NamedValues:
        obj = self._object(cluster)
        return _named_values(self.check, variables_of(self.dialect, cluster, self.declaration, obj))

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """The verdict as the dialect folds it; an empty status if it gives none."""
        if not self.dialect.roles:
            return Verdict(status="")
        obj = self._object(cluster)
        if obj is None:
            return MISSING
        return self._verdict(obj, cluster)

    def _verdict(self, obj: Value, cluster: ClusterState) -> Verdict:
        values = self._named_values(cluster)
        if values.failed:
            cause = CauseText(values.failed.path)
            return Verdict(status=self.dialect.fails, error=values.error, cause=cause)
        return evaluate(self.check, obj, values.variables)

    def _object(self, cluster: ClusterState) -> Value:
        return cluster.covered(self.applies)[0]


def _named_values(check: Check, variables: Mapping[str, Value]) -> _NamedValues:
    """The variables of a check, with those that its own expressions give.

    Mirrors `oidcClaimsProcessor.Evaluate` of notification-controller (2e46958, receiver_claims.go)
    and the claims processor of Flux Operator (v0.58.1, internal/web/auth/claims.go): expressions
    are evaluated in order, each sees the values before it, and the first that fails ends it all.
    """
    dialect = check.dialect
    expressions = {expression.path: expression for expression in check.cel}
    for variable, place in dialect.sources.items() if dialect else ():
        path, _, name = place.partition("[].")
        values: dict[str, Value] = {}
        variables = {**variables, variable: values}
        start = (*check.path, *steps(path))
        for index, entry in enumerate(list_at(check.value, steps(path))):
            for expression in (expressions.get((*start, index, key)) for key in entry or ()):
                if expression is None:
                    continue
                outcome = expression.program.evaluate(variables)
                if outcome.error:
                    return _NamedValues(variables, expression, outcome.error)
                values[text_at(entry, (name,))] = outcome.value
    return _NamedValues(variables)


def variables_of(
    dialect: Dialect, cluster: ClusterState, declaration: Value, obj: Value
) -> Mapping[str, Value]:
    """The variables of a dialect: the object, and the one that declares the expressions."""
    if not dialect.variables:
        return top_level(obj)
    owner = declaration if cluster.owner is None else cluster.owner
    objects = {
        name: _named_object(declaration, place, name, cluster.objects)
        for name, place in dialect.listed.items()
    }
    values = {dialect.object: obj, dialect.owner: owner, **objects, **cluster.settings}
    return {
        name: _as_floats(values[name]) if name in dialect.floats else values[name]
        for name in dialect.variables
        if values.get(name) is not None
    }


def _named_object(declaration: Value, place: str, variable: str, objects: Sequence[Value]) -> Value:
    """The object that the declaration names for a variable, as an entry of kuttl's resourceRefs."""
    path, _, key = place.partition("[].")
    for entry in list_at(declaration, steps(path)):
        if text_at(entry, (key,)) == variable:
            named_ref = object_ref_of({**mapping_at(entry), "metadata": entry})
            # Without a namespace, it is the object in that of the test.
            refs = ((obj, object_ref_of(obj)) for obj in objects)
            return next(
                (obj for obj, ref in refs if named_ref in (ref, replace(ref, namespace=""))), None
            )
    return None


def _as_floats(value: Value) -> Value:
    """A value as `encoding/json` of Go decodes it: all numbers are floats."""
    if isinstance(value, dict):
        return {key: _as_floats(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_as_floats(part) for part in value]
    return float(value) if type(value) is int else value
