"""A self-contained HTML file: the tree, with objects that never become ready in red.

It loads nothing and has no script, so it can be mailed, and shown where scripts do not run. The
lines of the tree are not nested, since browsers limit the depth of elements.
"""

from __future__ import annotations

from html import escape as escaped
from pathlib import Path

from celvet.lint.graph.nodes import Edge, Graph
from celvet.lint.graph.tree import Branch, branches
from celvet.lint.graph.wording import marks, place, title, wait
from celvet.lint.prose import pieces, printable_lines
from celvet.lint.safe_text import unicode_text, xml_text

_STYLE = Path(__file__).parents[1] / "page.css"


def render(report: Graph, color: bool) -> str:
    """One document, which loads nothing."""
    lines = "\n".join(_line(branch) for branch in branches(report))
    return unicode_text(
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        "<title>celvet graph</title>\n"
        f"<style>\n{_STYLE.read_text(encoding='utf-8')}</style>\n</head>\n"
        f'<body>\n<div role="tree" aria-label="who applies whom and who waits for whom">\n{lines}\n'
        "</div>\n</body>\n</html>\n"
    )


def _line(branch: Branch) -> str:
    depth, edge, node = len(branch.last_flags), branch.edge, branch.node
    at = _escape(place(node)) if edge is None or edge.relation == "applies" else ""
    parts = [f"{edge.relation} " if edge else "", f"<b>{_escape(title(node))}</b>"]
    parts += [f' <span class="place">{at}</span>'] if at else []
    if node.object.name and not node.file:
        parts.append(' <span class="place">not in these files</span>')
    parts += _waiting(edge) if edge else []
    look = ' class="wrong"' if edge and marks(edge) else ""
    opening = (
        f'<div role="treeitem" aria-level="{depth + 1}" style="margin-left:{depth * 1.5}em"{look}>'
    )
    return f"{opening}{''.join(parts)}</div>"


def _waiting(edge: Edge) -> list[str]:
    parts = [f" {_prose(wait(edge))}"] if edge.test else []
    parts += [f"<p>✗ {_prose(mark)}</p>" for mark in marks(edge)]
    if edge.expressions:
        definitions = "".join(
            f"<dt>{_escape(role)}</dt><dd><pre>{_escape(text)}</pre></dd>"
            for role, text in edge.expressions.items()
        )
        parts.append(f"<details><summary>expressions</summary><dl>{definitions}</dl></details>")
    return parts


def _escape(text: str) -> str:
    """A text without markup and without characters that change the order of display."""
    return escaped(xml_text(printable_lines(text)))


def _prose(text: str) -> str:
    """A message with quotations as code."""
    return "".join(
        f"<code>{_escape(piece)}</code>" if is_code else _escape(piece)
        for piece, is_code in pieces(text)
    )
