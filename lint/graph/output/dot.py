"""The language of Graphviz: `dot -Tsvg`."""

from __future__ import annotations

from celvet.lint.graph.nodes import Edge, Graph, GraphNode
from celvet.lint.graph.wording import marks, place, title, wait
from celvet.lint.safe_text import terminal_text, unicode_text


def render(report: Graph, color: bool) -> str:
    """One directed graph; tests that never succeed are red, objects outside of the files dashed."""
    lines = ["digraph celvet {", "  rankdir=LR;", "  node [shape=box];"]
    lines += (f"  n{number} [{_node(node)}];" for number, node in enumerate(report.nodes))
    lines += (f"  n{edge.source} -> n{edge.target} [{_edge(edge)}];" for edge in report.edges)
    return unicode_text("\n".join([*lines, "}", ""]))


def _node(node: GraphNode) -> str:
    return f"label={_label(title(node), place(node))}{'' if node.file else ', style=dashed'}"


def _edge(edge: Edge) -> str:
    wrong = marks(edge)
    label = _label(edge.relation, wait(edge), *wrong)
    return f"label={label}{', color=red, fontcolor=red' if wrong else ''}"


def _label(*lines: str) -> str:
    r"""A label of several lines; `\n` ends a line, and any other backslash must be doubled."""
    texts = (
        terminal_text(line).replace("\\", "\\\\").replace('"', '\\"') for line in lines if line
    )
    return '"' + "\\n".join(texts) + '"'
