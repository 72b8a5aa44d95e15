"""The trace of an evaluation: every sub-expression that was reached, and its outcome."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from celvet.lint.cel.engine.outcome import Outcome
from celvet.lint.cel.syntax.tree import Node
from celvet.lint.model import Span
from celvet.record import record


@record
class TraceRound:
    """The body of a macro on one element.

    `place` is the element's index in a list or its key in a map, None for
    `optMap` and `optFlatMap`, which bind one value. `steps` holds the arguments
    evaluated: one, or for `map` with a condition up to two.
    """

    variable: str
    place: int | str | None
    value: Any
    steps: tuple[TraceStep, ...]


@record
class TraceStep:
    """One evaluation of a sub-expression.

    `parts` are the operands that were evaluated, in order; one that is missing
    was not reached. `rounds` belong to a macro. `decisive` is the step below
    that settled the outcome alone: the operand or the round at which `||`, `&&`,
    `exists` and `all` stopped, the branch taken, or the operand whose error this
    is; None if all of them count. An error below that is not decisive was
    absorbed and did not matter.
    """

    node: Node
    outcome: Outcome
    parts: tuple[TraceStep, ...] = ()
    rounds: tuple[TraceRound, ...] = ()
    decisive: TraceStep | None = None

    @property
    def span(self) -> Span:
        """The place of the step in the text of the expression."""
        return self.node.span

    def below(self) -> Iterator[TraceStep]:
        """The steps directly below, in order of evaluation."""
        yield from self.parts
        for trace_round in self.rounds:
            yield from trace_round.steps


@record
class Trace:
    """An evaluation, step by step.

    `complete` is False if the evaluation had more steps than are recorded; the outcomes of the
    recorded steps are still right.
    """

    text: str
    root: TraceStep
    complete: bool = True

    @property
    def outcome(self) -> Outcome:
        """The outcome of the whole expression."""
        return self.root.outcome

    def steps(self) -> Iterator[TraceStep]:
        """Every step, one before those below it."""
        pending = [self.root]
        while pending:
            step = pending.pop()
            yield step
            pending.extend(reversed([*step.below()]))

    def deciding_steps(self) -> tuple[TraceStep, ...]:
        """From the root down to the step that settled the outcome."""
        chain = [self.root]
        while chain[-1].decisive is not None:
            chain.append(chain[-1].decisive)
        return tuple(chain)

    def source(self, step: TraceStep) -> str:
        """The text of a step's sub-expression."""
        return self.text[slice(*step.span)]
