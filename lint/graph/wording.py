"""Words for nodes and edges, in the formats for people."""

from __future__ import annotations

from celvet.lint.checks.timing import short
from celvet.lint.graph.nodes import Edge, GraphNode
from celvet.lint.safe_text import one_line

_CYCLE = "a cycle: none of them ever becomes ready"
_ENDS = {"exists": "exists", "ready": "is ready"}
_MOST_TEXT, _MOST_EXPRESSION = 200, 80


def title(node: GraphNode) -> str:
    """Kind and names; `every Certificate.cert-manager.io` of a node for a whole kind."""
    it = node.object
    if node.file or it.name:
        names = "/".join(filter(None, (it.namespace, it.name)))
        return one_line(f"{it.kind} {names}", _MOST_TEXT)
    group = it.group_kind.group
    if it.kind or group:
        return one_line(f"every {it.group_kind if it.kind else f'object of {group}'}", _MOST_TEXT)
    return "all that it applies"


def place(node: GraphNode) -> str:
    """The file and line of an object; empty for one that is not in the files."""
    unapplied = ", not applied here" if node.unapplied else ""
    return f"{node.file}:{node.line}{unapplied}" if node.file else ""


def wait(edge: Edge) -> str:
    """How long the wait is, and for what; empty if nothing waits."""
    if not edge.test:
        return ""
    most = f"{short(edge.deadline)} at most, " if edge.deadline is not None else ""
    if edge.test in _ENDS:
        return f"{most}until it {_ENDS[edge.test]}"
    # The expressions are in the order of their evaluation; the last one decides what is ready.
    role, text = [*edge.expressions.items()][-1]
    return f"{most}until `{role}` is true: `{one_line(text, _MOST_EXPRESSION)}`"


def marks(edge: Edge) -> list[str]:
    """The fault of an edge, in words."""
    found = [_CYCLE] if edge.cycle else []
    return [*found, f"never: {one_line(edge.never, _MOST_TEXT)}"] if edge.never else found
