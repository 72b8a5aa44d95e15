"""Whether the objects of a resource in a graph are ready.

Mirrors kro (0302e659, `pkg/runtime/node.go`, `pkg/controller/instance/resources.go`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from celvet.lint.cel import Outcome
from celvet.lint.controllers.kro.graph import EACH, ResourceNode, Term
from celvet.lint.model import Path, Value
from celvet.record import record

SYNCED, WAITING, ERROR = "SYNCED", "WAITING_FOR_READINESS", "ERROR"
_PENDING = ("no such key", "no such field", "no such attribute", "index out of bounds")


@record
class NodeState:
    """The state of a resource.

    `error` is why it is not ready, `path` the expression that decided.
    """

    state: str
    error: str = ""
    path: Path = ()
    analysed: bool = True


def is_pending(error: str, text: str) -> bool:
    """Whether kro takes an error for missing data: by its text, which contains the expression."""
    return any(words in error or words in text for words in _PENDING)


def readiness(node: ResourceNode, observed: Sequence[Value]) -> NodeState:
    """Whether the observed objects of a resource are ready; the first that is not decides."""
    if not observed and not node.collection:
        return NodeState(WAITING, "no observed state", node.path)
    name = EACH if node.dimensions else node.id
    for obj in observed if node.collection else observed[:1]:
        for term in node.ready:
            state = _ready(term, evaluate(term, {name: obj}), node)
            if state:
                return state
    return NodeState(SYNCED)


def evaluate(term: Term, variables: Mapping[str, Any]) -> Outcome:
    """The outcome of an expression, which sees the variables that it names."""
    values = {name: variables[name] for name in term.names & variables.keys()}
    return term.runnable.evaluate(values)


def _ready(term: Term, outcome: Outcome, node: ResourceNode) -> NodeState | None:
    """The state for an expression that is not true; None for one that is."""
    text = term.program.text
    if outcome.error:
        state = WAITING if is_pending(outcome.error, text) else ERROR
        return NodeState(state, outcome.error, term.path, outcome.analysed)
    if not isinstance(outcome.value, bool) and (outcome.value is not None or node.collection):
        return NodeState(ERROR, f"`{text}` did not return bool", term.path)
    if outcome.value is not True:
        return NodeState(WAITING, f"`{text}` is false", term.path)
    return None
