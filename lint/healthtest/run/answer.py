"""The answer of an evaluator: its verdict, and the result of each of its expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.cel import Activation, Compiled, Outcome
from celvet.lint.cel.trace.trace import Trace
from celvet.lint.checks import AnyExpression, join_outcomes
from celvet.lint.jsonpath import CompiledPath
from celvet.lint.model import Value
from celvet.lint.verdicts.evaluator import ClusterState, Evaluator
from celvet.lint.verdicts.verdict import Verdict
from celvet.record import record


@record
class ExpressionAnswer:
    """An expression and its result.

    CEL gives a value of any type, or an error; a path gives the value that it reads, or None.
    `refusal` is why the controller refuses the text, empty if it does not.
    """

    expression: AnyExpression
    outcome: Outcome
    refusal: str = ""


@record
class Answer:
    """The verdict of an evaluator, and the results of its expressions."""

    evaluator: Evaluator
    cluster: ClusterState
    verdict: Verdict
    expressions: tuple[ExpressionAnswer, ...]

    @property
    def failed(self) -> bool:
        """Whether an expression is refused, or the verdict is for an error in one."""
        alone = not self.verdict.status
        return bool(self.verdict.error) or any(
            item.refusal or (alone and item.outcome.error) for item in self.expressions
        )

    def of(self, role: str) -> list[Outcome]:
        """The results of the expressions of a role, in the order of the document."""
        return [item.outcome for item in self.expressions if item.expression.role == role]

    def outcome(self, role: str) -> Outcome:
        """Whether the expressions of a role hold together, as the dialect joins them."""
        dialect = next(
            item.expression.dialect for item in self.expressions if item.expression.role == role
        )
        return join_outcomes(self.of(role), dialect.role(role).join)

    @property
    def variables(self) -> Mapping[str, Value]:
        """The variables of the expressions."""
        return self.evaluator.variables(self.cluster)

    def trace(self, expression: AnyExpression) -> Trace | None:
        """The evaluation of an expression step by step; None if it cannot be evaluated."""
        program = expression.program
        if not isinstance(program, Compiled) or program.tree is None:
            return None
        return program.trace(self.variables)


def answer(evaluator: Evaluator, cluster: ClusterState) -> Answer:
    """The answer of an evaluator; never raises."""
    return Answer(
        evaluator, cluster, evaluator.evaluate(cluster), tuple(_answers(evaluator, cluster))
    )


def _answers(evaluator: Evaluator, cluster: ClusterState) -> Iterator[ExpressionAnswer]:
    bound: Activation | None = None
    for expression in evaluator.expressions:
        program = expression.program
        if isinstance(program, CompiledPath):
            yield _read(expression, program, evaluator, cluster)
            continue
        bound = bound or Activation(evaluator.variables(cluster))
        refusal = program.refusals[0].message if program.refusals else ""
        yield ExpressionAnswer(expression, program.evaluate(bound), refusal)


def _read(
    expression: AnyExpression, path: CompiledPath, evaluator: Evaluator, cluster: ClusterState
) -> ExpressionAnswer:
    """The value at a path of the first object under check."""
    obj = next((candidate for candidate in cluster.objects if evaluator.applies(candidate)), None)
    reading = path.read(obj)
    outcome = Outcome(error=reading.error) if reading.state == "error" else Outcome(reading.value)
    return ExpressionAnswer(expression, outcome, path.refusal.message if path.refusal else "")
