"""Asks a judge: the verdict, and what each expression that it decides by gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from celvet.lint.cel import Bound, Compiled, Outcome
from celvet.lint.cel.trace.trace import Trace
from celvet.lint.controllers.judge import Judge, Program, Situation
from celvet.lint.controllers.verdict import Verdict
from celvet.lint.jsonpath import CompiledPath
from celvet.lint.model import Value


@dataclass(frozen=True, slots=True)
class Asked:
    """One program and what it gives in a situation.

    An expression gives a value, also one that is no bool, or an error; a path
    what it reads, None where there is nothing. `refusal` is why the controller
    does not take the text, empty if it does.
    """

    program: Program
    outcome: Outcome
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a judge says in a situation, and what its programs give there."""

    judge: Judge
    situation: Situation
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
        return self.judge.variables(self.situation)

    def trace(self, program: Program) -> Trace | None:
        """The evaluation of an expression step by step; None of what cannot be evaluated."""
        compiled = program.compiled
        if not isinstance(compiled, Compiled) or compiled.tree is None:
            return None
        return compiled.trace(self.variables)


def answer(judge: Judge, situation: Situation) -> Answer:
    """The judge's answer in a situation; never raises."""
    return Answer(judge, situation, judge.judge(situation), tuple(_asked(judge, situation)))


def _asked(judge: Judge, situation: Situation) -> Iterator[Asked]:
    bound: Bound | None = None
    for program in judge.programs:
        if isinstance(program.compiled, CompiledPath):
            yield _read(program, program.compiled, judge, situation)
            continue
        bound = bound or Bound(judge.variables(situation))
        refusals = program.compiled.refusals
        yield Asked(
            program,
            program.compiled.evaluate(bound),
            refusals[0].message if refusals else "",
        )


def _read(program: Program, path: CompiledPath, judge: Judge, situation: Situation) -> Asked:
    """What a path reads from the first object that it is about."""
    found = next((each for each in situation.objects if judge.applies(each)), None)
    reading = path.read(found)
    outcome = Outcome(error=reading.error) if reading.state == "error" else Outcome(reading.value)
    return Asked(program, outcome, path.refusal.message if path.refusal else "")
