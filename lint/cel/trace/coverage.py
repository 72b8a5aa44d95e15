"""Condition coverage: the outcomes that each condition of an expression had."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.cel.syntax.tree import Call, Literal, Macro, Node
from celvet.lint.cel.trace.trace import Trace, TraceStep
from celvet.lint.model import Span
from celvet.record import field, record

_WANTED = ("true", "false")
_TESTS = frozenset({"all", "exists", "exists_one", "filter"})
_CHAINS = frozenset({"_&&_", "_||_"})


@record
class ConditionCoverage:
    """A condition and the outcomes that it had.

    `outcomes` holds any of `true`, `false`, `error` and `other` (a value that is not a bool).
    """

    span: Span
    outcomes: frozenset[str]

    @property
    def missing(self) -> tuple[str, ...]:
        """The outcomes of `true` and `false` that it never had."""
        return tuple(outcome for outcome in _WANTED if outcome not in self.outcomes)


@record(frozen=False)
class Coverage:
    """The conditions of one expression, and their outcomes in the evaluations added.

    A condition is the expression itself, an operand of a chain of `&&` or `||`, the condition of
    `?:` and its branches where these are conditions, and the test of a macro. A condition is
    covered once it has been true and has been false. Constants and evaluations over budget do not
    count.
    """

    root: Node
    _outcomes: dict[Span, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for node in _conditions(self.root):
            self._outcomes.setdefault(node.span, set())

    def add(self, trace: Trace) -> None:
        """Count an evaluation of the same expression."""
        for step in trace.steps():
            if step.outcome.analysed and step.span in self._outcomes:
                self._outcomes[step.span].add(_outcome(step))

    def merge(self, other: Coverage) -> None:
        """Count what another coverage of the same text has counted."""
        for span, outcomes in other._outcomes.items():
            self._outcomes.setdefault(span, set()).update(outcomes)

    @property
    def conditions(self) -> tuple[ConditionCoverage, ...]:
        """All conditions, in source order, outer ones first."""
        spans = sorted(self._outcomes, key=lambda span: (span.start, -span.end))
        return tuple(ConditionCoverage(span, frozenset(self._outcomes[span])) for span in spans)

    @property
    def uncovered_conditions(self) -> tuple[ConditionCoverage, ...]:
        """The conditions that were never true or never false."""
        return tuple(condition for condition in self.conditions if condition.missing)

    @property
    def percent(self) -> float:
        """The share of outcomes reached, of two for each condition; 0 to 100."""
        total = len(_WANTED) * len(self._outcomes)
        missing = sum(len(condition.missing) for condition in self.conditions)
        return 100 * (total - missing) / total if total else 100.0


def _outcome(step: TraceStep) -> str:
    if step.outcome.error:
        return "error"
    value = step.outcome.value
    return str(value).lower() if isinstance(value, bool) else "other"


def _conditions(root: Node) -> Iterator[Node]:
    pending = [(root, True)]
    while pending:
        node, decides = pending.pop()
        if decides and not isinstance(node, Literal):
            yield node
        pending += [(child, _decides(node, child, decides)) for child in node.children]


def _decides(parent: Node, child: Node, parent_decides: bool) -> bool:
    """Whether a child is a condition; a branch of `?:` is one if the whole is."""
    if isinstance(parent, Macro):
        has_test = parent.name in _TESTS or (parent.name == "map" and len(parent.args) == 2)
        return has_test and child is parent.args[0]
    if not isinstance(parent, Call):
        return False
    if parent.function == "_?_:_":
        return child is parent.args[0] or parent_decides
    # The parser balances a chain, so a chain inside it is not one of the text.
    continues_chain = isinstance(child, Call) and child.function == parent.function
    return parent.function in _CHAINS and not continues_chain
