"""Asks a evaluator: the verdict, and what each expression that it decides by gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from celvet.lint.cel import Bound, Compiled, Outcome
from celvet.lint.cel.trace.trace import Trace
from celvet.lint.checks import AnyExpression
from celvet.lint.controllers.evaluator import ClusterState, Evaluator
from celvet.lint.controllers.verdict import Verdict
from celvet.lint.jsonpath import CompiledPath
from celvet.lint.model import Value


@dataclass(frozen=True, slots=True)
class Asked:
    """One text and what it gives in a cluster.

    An expression gives a value, also one that is no bool, or an error; a path
    what it reads, None where there is nothing. `refusal` is why the controller
    does not take the text, empty if it does.
    """

    expression: AnyExpression
    outcome: Outcome
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an evaluator says in a cluster, and what its expressions give there."""

    evaluator: Evaluator
    cluster: ClusterState
    verdict: Verdict
    asked: tuple[Asked, ...]

    @property
    def failed(self) -> bool:
        """Whether an expression is refused, or the verdict is for an error in one."""
        alone = not self.verdict.status
        return bool(self.verdict.error) or any(
            asked.refusal or (alone and asked.outcome.error) for asked in self.asked
        )

    @property
    def variables(self) -> Mapping[str, Value]:
        """What the expressions see."""
        return self.evaluator.variables(self.cluster)

    def trace(self, expression: AnyExpression) -> Trace | None:
        """The evaluation of an expression step by step; None of what cannot be evaluated."""
        compiled = expression.program
        if not isinstance(compiled, Compiled) or compiled.tree is None:
            return None
        return compiled.trace(self.variables)


def answer(evaluator: Evaluator, cluster: ClusterState) -> Answer:
    """The answer of an evaluator in a cluster; never raises."""
    return Answer(
        evaluator, cluster, evaluator.evaluate(cluster), tuple(_asked(evaluator, cluster))
    )


def _asked(evaluator: Evaluator, cluster: ClusterState) -> Iterator[Asked]:
    bound: Bound | None = None
    for expression in evaluator.expressions:
        program = expression.program
        if isinstance(program, CompiledPath):
            yield _read(expression, program, evaluator, cluster)
            continue
        bound = bound or Bound(evaluator.variables(cluster))
        refused = program.refusals[0].message if program.refusals else ""
        yield Asked(expression, program.evaluate(bound), refused)


def _read(
    expression: AnyExpression, path: CompiledPath, evaluator: Evaluator, cluster: ClusterState
) -> Asked:
    """What a path reads from the first object that it is about."""
    found = next((each for each in cluster.objects if evaluator.applies(each)), None)
    reading = path.read(found)
    outcome = Outcome(error=reading.error) if reading.state == "error" else Outcome(reading.value)
    return Asked(expression, outcome, path.refusal.message if path.refusal else "")
