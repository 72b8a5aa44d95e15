"""The answers of the tools: plain fields, from which the schemas of the answers are made.

`more` is how many further items a list would have. They are dataclasses without slots, of which
the SDK can read the fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class FindingAnswer:
    """A mistake; `when` is the object that proves it, `fix` what `fix=safe` or `unsafe` does."""

    rule: str
    severity: str
    place: str
    field: str
    message: str
    help: str
    when: str
    fix: str


@dataclass(frozen=True, kw_only=True)
class LintAnswer:
    """Findings, the worst first; `fixed` has the whole text of each file that a fix changes."""

    findings: list[FindingAnswer]
    more: int
    fixed: Mapping[str, str]
    notes: list[str]


@dataclass(frozen=True, kw_only=True)
class ExpressionValue:
    """The value of an expression, its error, or why the controller refuses it."""

    role: str
    value: str
    error: str
    refused: str


@dataclass(frozen=True, kw_only=True)
class VerdictAnswer:
    """A controller's verdict on an object by one check, and the part that decided."""

    check: str
    object: str
    status: str
    reason: str
    because: str
    expressions: list[ExpressionValue]


@dataclass(frozen=True, kw_only=True)
class EvalAnswer:
    """The verdict of each check that applies."""

    verdicts: list[VerdictAnswer]
    more: int


@dataclass(frozen=True, kw_only=True)
class StateAnswer:
    """A state of the object and what the check says; `wrong` if it should say something else."""

    state: str
    expressions: Mapping[str, str]
    verdict: str
    wrong: bool


@dataclass(frozen=True, kw_only=True)
class CheckLife:
    """A check over the life of an object.

    `life` are the states that the controller of the kind is known to write, else there are
    `states` that the expressions can tell apart. `fixed` has better expressions.
    """

    check: str
    place: str
    timing: str
    life: list[StateAnswer]
    states: list[StateAnswer]
    findings: list[FindingAnswer]
    fixed: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class ExplainAnswer:
    """The checks in a text."""

    checks: list[CheckLife]
    more: int


@dataclass(frozen=True, kw_only=True)
class VariantAnswer:
    """Another entry for the same kind, and who wants it."""

    entry: Mapping[str, str]
    why: str


@dataclass(frozen=True, kw_only=True)
class ExpectedState:
    """A state of the kind, and the verdict that is right."""

    state: str
    verdict: str


@dataclass(frozen=True, kw_only=True)
class SuggestAnswer:
    """The entry of `healthCheckExprs` for a kind; empty if the kind needs none.

    It is proved unless there are `questions`, which somebody must answer first. `yaml` is to
    paste. `life` has the verdicts that the entry gives.
    """

    kind: str
    entry: Mapping[str, str]
    yaml: str
    proved: bool
    basis: str
    reasons: list[str]
    questions: list[str]
    variants: Mapping[str, VariantAnswer]
    life: list[ExpectedState]


@dataclass(frozen=True, kw_only=True)
class RootAnswer:
    """An object that holds up others: why, whether that ends by itself, and where it is written."""

    object: str
    cause: str
    message: str
    outlook: str
    field: str
    expression: str
    observed: Mapping[str, str]
    finding: str
    place: str
    holds_up: int


@dataclass(frozen=True, kw_only=True)
class WaitingAnswer:
    """An object that is not ready; `roots` are indices of the list of roots."""

    object: str
    verdict: str
    since: str
    roots: list[int]
    next: str


@dataclass(frozen=True, kw_only=True)
class WhyAnswer:
    """What holds up the objects of a cluster at a time."""

    at: str
    all_ready: bool
    roots: list[RootAnswer]
    waiting: list[WaitingAnswer]
    more: int
    notes: list[str]


@dataclass(frozen=True, kw_only=True)
class WaiterAnswer:
    """What a waiter makes of a state; `trouble` if that is wrong."""

    state: str
    effect: str
    trouble: str


@dataclass(frozen=True, kw_only=True)
class ObjectForecast:
    """An object over its life; `known` is false if nothing is known of the kind."""

    object: str
    known: bool
    states: list[WaiterAnswer]
    kubectl: str


@dataclass(frozen=True, kw_only=True)
class ForecastAnswer:
    """What a waiter will do with each object."""

    waiter: str
    objects: list[ObjectForecast]
    more: int
