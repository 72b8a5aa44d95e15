"""Finds conjunctions that exclude each value which a field may have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.cel.syntax.tree import Call, ListExpr, Literal, Node, dotted_path
from celvet.lint.typecheck.mismatch import TypeMismatch, none_left
from celvet.lint.typecheck.types import Type
from celvet.record import record


@record
class _Left:
    """A field that is never null, and which of its values are not excluded."""

    what: Type
    texts: frozenset[str]


class Exclusions:
    """The values that conjunctions leave to each field, computed from the innermost outwards.

    `types` are those of the sub-expressions, known before a conjunction of them is.
    """

    def __init__(self, types: Mapping[Node, Type]) -> None:
        self._types = types
        self._left: dict[Node, dict[str, _Left]] = {}

    def conjunction(self, node: Call) -> Iterator[TypeMismatch]:
        """The fields for which the sides of an `&&` together exclude all values."""
        found: dict[str, _Left] = {}
        for arg in node.args:
            for name, left in (self._left.get(arg) or self._of(arg)).items():
                before = found.get(name, left)
                found[name] = _Left(left.what, left.texts & before.texts)
        self._left[node] = {name: left for name, left in found.items() if left.texts}
        yield from (none_left(left.what, node.span) for left in found.values() if not left.texts)

    def _of(self, node: Node) -> dict[str, _Left]:
        """The values that an operand leaves: `a != 'x'`, `!(a == 'x')`, `!(a in ['x'])`."""
        wanted = "_!=_"
        if isinstance(node, Call) and node.function == "!_":
            node, wanted = node.args[0], "_==_"
        if not isinstance(node, Call) or len(node.args) != 2:
            return {}
        one, other = node.args
        if node.function == wanted:
            one, other = (other, one) if isinstance(one, Literal) else (one, other)
            return self._without(one, [other])
        negated = wanted == "_==_" and node.function == "@in" and isinstance(other, ListExpr)
        return self._without(one, other.children) if negated else {}

    def _without(self, field: Node, excluded: Sequence[Node]) -> dict[str, _Left]:
        name, what = dotted_path(field), self._types[field]
        if not name or not what.values or what.node is None or what.node.nullable:
            return {}
        texts = {each.value for each in excluded if isinstance(each, Literal)}
        left = frozenset(what.values) - texts
        return {name: _Left(what, left)} if left else {}
