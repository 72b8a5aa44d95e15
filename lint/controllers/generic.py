"""Checks that only their dialect describes, such as those of a user's own kinds.

Roles are tried in order, like Flux's; a dialect without verdicts only gives the values of its
expressions. A JSONPath is true if the value that it finds is `true`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from celvet.lint.cel import Outcome
from celvet.lint.checks import (
    AnyExpression,
    CheckedObject,
    PathExpression,
    fold_roles,
    join_outcomes,
)
from celvet.lint.model import Value
from celvet.lint.verdicts.check_evaluator import CheckEvaluator
from celvet.lint.verdicts.evaluator import ClusterState, Evaluator
from celvet.lint.verdicts.examples import FRESH, Example, example, with_value
from celvet.lint.verdicts.verdict import CauseText, Verdict
from celvet.record import record
from celvet.schemas import kind_facts


@record
class PathEvaluator(CheckEvaluator):
    """Evaluates the paths of one check on one object."""

    @property
    def expressions(self) -> Sequence[AnyExpression]:
        """The check's JSONPath expressions."""
        return self.check.paths

    def examples(self, _: Value) -> Iterator[Example]:
        """An object without what the paths read, and what the kind is like.

        That are the states of its life, or else an object where all paths find `true`.
        """
        api_version, kind = self.check.objects
        obj: Value | None = example(api_version or "v1", kind or "Example")
        yield Example(f"an object {FRESH}", (obj,))
        facts = kind_facts(self.check.group_kind.group, kind)
        for state in facts.life if facts else ():
            yield Example(f"an object in the state `{state.name}`", (dict(state.object),))
        for expression in self.check.paths:
            is_plain = expression.program.requirements is None
            obj = with_value(obj, expression.program, True) if obj and is_plain else None
        if obj and not facts:
            yield Example("an object on which all paths find `true`", (obj,))

    def _verdict(self, obj: Value, _: ClusterState) -> Verdict:
        outcomes = {}
        for role in self.dialect.roles:
            paths = [path for path in self.check.paths if path.role == role.name]
            results = [outcome for path in paths for outcome in _outcomes(path, obj)]
            # A condition of blanks asks for nothing, as if it were not there.
            if results or paths or role.absent:
                neutral = Outcome(role.join == "all")
                outcomes[role.name] = join_outcomes(results or [neutral], role.join)
        status, role_name = fold_roles(self.dialect, outcomes, obj)
        if role_name not in self.check:
            return Verdict(status=status)
        cause = CauseText(self.check.of(role_name)[0].path)
        return Verdict(status=status, error=outcomes[role_name].error, cause=cause)


def _outcomes(expression: PathExpression, obj: Value) -> Iterator[Outcome]:
    """Whether a path finds `true`; of a condition, whether each requirement holds."""
    result = expression.program.read(obj)
    if result.state == "error":
        yield Outcome(error=result.error)
    elif expression.program.requirements is not None:
        yield from map(Outcome, result.value if isinstance(result.value, list) else [result.value])
    else:
        yield Outcome(result.value is True)


def evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """An evaluator for the CEL expressions of each check, and one for its paths."""
    check_evaluators: list[Evaluator] = []
    for check in checked.checks:
        if check.dialect and check.cel:
            check_evaluators.append(CheckEvaluator(check, check.dialect, checked.value))
        if check.paths:
            check_evaluators.append(PathEvaluator(check, check.paths[0].dialect, checked.value))
    return tuple(check_evaluators)
