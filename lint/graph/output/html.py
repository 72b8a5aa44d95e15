"""A self-contained HTML file: the picture, and the tree with its expressions.

A large graph is folded: a box for each namespace, whose own picture unfolds below. The page loads
nothing, so it can be mailed; its only script is the search. The lines of the tree are not nested,
since browsers limit the depth of elements.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from celvet.lint.graph.boxes import MOST_BOXES, Drawing, drawing_of, folded, part
from celvet.lint.graph.nodes import Edge, Graph
from celvet.lint.graph.svg import STYLE, svg
from celvet.lint.graph.tree import Branch, branches
from celvet.lint.graph.wording import marks, place, title, wait
from celvet.lint.prose import html, html_document, html_text
from celvet.lint.safe_text import unicode_text

_STYLE = Path(__file__).parents[1] / "page.css"
_SEARCH = """
const field = document.getElementById("search"), count = document.getElementById("matches");
field.addEventListener("input", () => {
  const text = field.value.trim().toLowerCase();
  const boxes = [...document.querySelectorAll("[data-name]")];
  const isFound = box => text ? box.dataset.name.includes(text) : false;
  for (const box of boxes) box.classList.toggle("found", isFound(box));
  const found = boxes.filter(box => box.classList.contains("found"));
  for (const fold of document.querySelectorAll("details.namespace")) {
    if (text) fold.open = Boolean(fold.querySelector(".found"));
  }
  count.textContent = text ? `${found.length} found` : "";
  if (found.length) found.at(-1).scrollIntoView({block: "nearest", inline: "center"});
});
"""
"""The script, without characters that markup would escape."""


def render(report: Graph, color: bool) -> str:
    """One document, which loads nothing."""
    drawing = drawing_of(report)
    body = "\n".join([*_head(drawing), *_pictures(drawing), *_tree(report)])
    style = _STYLE.read_text(encoding="utf-8") + STYLE
    script = f"<script>{_SEARCH}</script>\n"
    return unicode_text(html_document("celvet graph", style=style, body=body, script=script))


def _head(drawing: Drawing) -> Iterator[str]:
    """What there is, what never becomes ready, and the search."""
    wrong = [box for box in drawing.boxes if box.wrong]
    yield "<h1>Who waits for whom</h1>"
    yield f'<p class="place">{len(drawing.boxes)} objects, {len(drawing.arrows)} arrows</p>'
    if wrong:
        names = ", ".join(html_text(box.title) for box in wrong)
        yield f'<p class="wrong"><b>{len(wrong)} never become ready:</b> {names}</p>'
    yield '<p><label for="search">Find an object</label> <input id="search" type="search"/>'
    yield '<span id="matches" role="status"></span></p>'


def _pictures(drawing: Drawing) -> Iterator[str]:
    """The whole picture, or the namespaces and a picture for each."""
    is_large = len(drawing.boxes) > MOST_BOXES
    label = "what waits for what, from left to right"
    yield _picture(folded(drawing) if is_large else drawing, label)
    yield (
        '<p class="place">Time runs from left to right. Dark arrows are waits, light ones lead to'
        " what an object applies. Blue is the longest line at worst, red never becomes ready.</p>"
    )
    # Above so many boxes nobody can follow the arrows of one picture.
    namespaces = dict.fromkeys(box.namespace for box in drawing.boxes) if is_large else ()
    for name in namespaces:
        drawing_part = part(drawing, name)
        count = sum(box.namespace == name for box in drawing_part.boxes)
        wrong = (
            ', <b class="bad">never ready</b>'
            if any(box.wrong and box.namespace == name for box in drawing_part.boxes)
            else ""
        )
        summary = f"<summary>{html_text(name)} ({count}{wrong})</summary>"
        picture = _picture(drawing_part, f"the namespace {name}")
        yield f'<details class="namespace">{summary}{picture}</details>'


def _picture(drawing: Drawing, label: str) -> str:
    return f'<div class="picture" tabindex="0">{svg(drawing, label, style=False)}</div>'


def _tree(report: Graph) -> Iterator[str]:
    yield "<details><summary>As a tree, with the expressions</summary>"
    yield '<div role="tree" aria-label="who applies whom and who waits for whom">'
    yield from (_line(branch) for branch in branches(report))
    yield "</div></details>"


def _line(branch: Branch) -> str:
    depth, edge, node = len(branch.last_flags), branch.edge, branch.node
    at = html_text(place(node)) if edge is None or edge.relation == "applies" else ""
    parts = [f"{edge.relation} " if edge else "", f"<b>{html_text(title(node))}</b>"]
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
    parts = [f" {html(wait(edge))}"] if edge.test else []
    parts += [f"<p>✗ {html(mark)}</p>" for mark in marks(edge)]
    if edge.expressions:
        definitions = "".join(
            f"<dt>{html_text(role)}</dt><dd><pre>{html_text(text)}</pre></dd>"
            for role, text in edge.expressions.items()
        )
        parts.append(f"<details><summary>expressions</summary><dl>{definitions}</dl></details>")
    return parts
