"""Words for nodes and edges, in the formats for people."""

from __future__ import annotations

from celvet.lint.checks.timing import short
from celvet.lint.graph.nodes import Edge, GraphNode
from celvet.lint.safe_text import one_line

_CYCLE = "a cycle: none of them ever becomes ready"
_ENDS = {"exists": "exists", "applied": "is applied (it waits for nothing)", "ready": "is ready"}
_MOST_TEXT, _MOST_EXPRESSION = 200, 80


def title(node: GraphNode) -> str:
    """Kind and names; `every Certificate.cert-manager.io` of a node for a whole kind."""
    ref = node.object
    if node.file or ref.name:
        names = "/".join(filter(None, (ref.namespace, ref.name)))
        return one_line(f"{ref.kind} {names}", _MOST_TEXT)
    group = ref.group_kind.group
    if ref.kind or group:
        return one_line(f"every {ref.group_kind if ref.kind else f'object of {group}'}", _MOST_TEXT)
    return "all that it applies"


def place(node: GraphNode) -> str:
    """The file and line of an object; empty for one that is not in the files."""
    note = ", not applied here" if node.unapplied else ""
    return f"{node.file}:{node.line}{note}" if node.file else ""


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
    texts = [_CYCLE] if edge.cycle else []
    return [*texts, f"never: {one_line(edge.never, _MOST_TEXT)}"] if edge.never else texts
