"""Places a guard before the smallest operand that fails if the field it reads is missing.

`A || B` is true if `A` is, even if `B` is an error; a guard before the whole would change that. A
guard may stand only before a part that is never true if the guard is false.
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.cel.syntax.tree import Call, Node, always_evaluated, parents, walk
from celvet.lint.model import Span
from celvet.record import record

_AND, _OR = "_&&_", "_||_"


def guards(text: str, root: Node, read: str, test: str) -> Iterator[tuple[Span, str]]:
    """The insertions that test `test` wherever `read`, which fails without it, is evaluated."""
    above = parents(root)
    for node in _Operands(text, read).of(root):
        start, end = node.span
        parent = above.get(node)
        outer = _calls(parent, _OR) and not _bracketed(text, node.span)
        inner = _calls(node, _OR, "_?_:_")
        closing = ")" * (outer + inner)
        yield Span(start, start), f"{'(' * outer}{test} && {'(' * inner}"
        if closing:
            yield Span(end, end), closing


@record
class _Operands:
    """Finds the operands of `&&` and `||` that `read` keeps from having a value."""

    text: str
    read: str

    def of(self, node: Node) -> list[Node]:
        """The operands to be guarded, those of one `&&` by the first of them."""
        if not _calls(node, _AND, _OR):
            return [node] if self._errs(node) else []
        erring = [child for child in node.children if self._errs(child)]
        if _calls(node, _OR) and len(erring) == len(node.children):
            return [node]
        chosen = erring[:1] if _calls(node, _AND) and erring else node.children
        return [found for child in chosen for found in self.of(child)]

    def _errs(self, node: Node) -> bool:
        """Whether this is certainly not true if `read` is an error."""
        if _calls(node, _AND):
            return any(map(self._errs, node.children))
        if _calls(node, _OR):
            return all(map(self._errs, node.children))
        return any(
            self.text[slice(*each.span)] == self.read and always_evaluated(node, each)
            for each in walk(node)
        )


def _calls(node: Node | None, *functions: str) -> bool:
    return isinstance(node, Call) and node.function in functions


def _bracketed(text: str, span: Span) -> bool:
    return text[: span.start].endswith("(") and text[span.end :].startswith(")")
