"""Finds conjunctions that exclude each value which a field may have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.cel.syntax.tree import Call, ListExpr, Literal, Node, dotted_path
from celvet.lint.typecheck.mismatch import TypeMismatch, none_left
from celvet.lint.typecheck.types import Type
from celvet.record import record


@record
class _Remainder:
    """A field that is never null, and which of its values are not excluded."""

    field: Type
    texts: frozenset[str]


class Exclusions:
    """The values that conjunctions leave to each field, computed from the innermost outwards.

    `types` are those of the sub-expressions, known before a conjunction of them is.
    """

    def __init__(self, types: Mapping[Node, Type]) -> None:
        self._types = types
        self._remainders: dict[Node, dict[str, _Remainder]] = {}

    def conjunction(self, node: Call) -> Iterator[TypeMismatch]:
        """The fields for which the sides of an `&&` together exclude all values."""
        remainders: dict[str, _Remainder] = {}
        for arg in node.args:
            for name, remainder in (self._remainders.get(arg) or self._remainders_of(arg)).items():
                former = remainders.get(name, remainder)
                remainders[name] = _Remainder(remainder.field, remainder.texts & former.texts)
        self._remainders[node] = {
            name: remainder for name, remainder in remainders.items() if remainder.texts
        }
        yield from (
            none_left(remainder.field, node.span)
            for remainder in remainders.values()
            if not remainder.texts
        )

    def _remainders_of(self, node: Node) -> dict[str, _Remainder]:
        """The values that an operand leaves: `a != 'x'`, `!(a == 'x')`, `!(a in ['x'])`."""
        operator = "_!=_"
        if isinstance(node, Call) and node.function == "!_":
            node, operator = node.args[0], "_==_"
        if not isinstance(node, Call) or len(node.args) != 2:
            return {}
        field, operand = node.args
        if node.function == operator:
            field, operand = (operand, field) if isinstance(field, Literal) else (field, operand)
            return self._without_texts(field, [operand])
        is_negated_list = (
            operator == "_==_" and node.function == "@in" and isinstance(operand, ListExpr)
        )
        return self._without_texts(field, operand.children) if is_negated_list else {}

    def _without_texts(self, field: Node, literals: Sequence[Node]) -> dict[str, _Remainder]:
        name, field_type = dotted_path(field), self._types[field]
        if not name or not field_type.values or field_type.node is None or field_type.node.nullable:
            return {}
        texts = {literal.value for literal in literals if isinstance(literal, Literal)}
        remainder = frozenset(field_type.values) - texts
        return {name: _Remainder(field_type, remainder)} if remainder else {}
