"""Text for a terminal: a tree of who applies whom, with what each one waits for."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.graph.nodes import Edge, Graph, GraphNode
from celvet.lint.graph.tree import Branch, branches
from celvet.lint.graph.wording import marks, place, title, wait
from celvet.lint.safe_text import terminal_text

_RED, _DIM, _PLAIN = "\x1b[31m", "\x1b[2m", "\x1b[0m"


def render(report: Graph, color: bool) -> str:
    """All trees, one below the other."""
    return "".join(
        f"{line}\n"
        for number, branch in enumerate(branches(report))
        for line in _lines(branch, number, color)
    )


def _lines(branch: Branch, number: int, color: bool) -> Iterator[str]:
    if branch.edge is None:
        if number:
            yield ""
        yield _node_text(branch.node, color)
        return
    guides = "".join("   " if is_last else "│  " for is_last in branch.last_flags[:-1])
    wrong = marks(branch.edge)
    indent = f"{guides}{'└─' if branch.last_flags[-1] else '├─'} "
    yield indent + _edge_text(branch.edge, branch.node, color)
    for mark in wrong:
        follow = "   " if branch.last_flags[-1] else "│  "
        text = f"✗ {terminal_text(mark)}"
        yield f"{guides}{follow}{f'{_RED}{text}{_PLAIN}' if color else text}"


def _edge_text(edge: Edge, node: GraphNode, color: bool) -> str:
    where = _node_text(node, color) if edge.relation == "applies" else terminal_text(title(node))
    note = "" if node.file or not node.object.name else " (not in these files)"
    return f"{edge.relation} {where}{note} {terminal_text(wait(edge))}".rstrip()


def _node_text(node: GraphNode, color: bool) -> str:
    at = terminal_text(place(node))
    at = f"{_DIM}{at}{_PLAIN}" if color and at else at
    return f"{terminal_text(title(node))} {f'({at})' if at else ''}".rstrip()
