"""Builds trees for the engine: one method for each shape of `cel.expr.Expr`."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from celvet.lint.cel.engine.proto import Expr, Message
from celvet.lint.cel.syntax.literals import LiteralValue

_CONSTANTS = {
    "null": "null_value",
    "bool": "bool_value",
    "int": "int64_value",
    "uint": "uint64_value",
    "double": "double_value",
    "string": "string_value",
    "bytes": "bytes_value",
}


class TreeBuilder:
    """Makes the nodes of one tree and numbers them."""

    def __init__(self) -> None:
        self._ids = itertools.count(1)

    def _new(self) -> Message:
        return Expr(id=next(self._ids))

    def constant(self, kind: str, value: LiteralValue) -> Message:
        """A literal of the CEL type `kind`."""
        expr = self._new()
        setattr(expr.const_expr, _CONSTANTS[kind], 0 if value is None else value)
        return expr

    def text(self, value: str) -> Message:
        """A literal of the CEL type `string`."""
        return self.constant("string", value)

    def truth(self, *, value: bool) -> Message:
        """A literal of the CEL type `bool`."""
        return self.constant("bool", value)

    def ident(self, name: str) -> Message:
        """A variable or a type."""
        expr = self._new()
        expr.ident_expr.name = name
        return expr

    def select(self, operand: Message, field: str, *, test: bool = False) -> Message:
        """`operand.field`, or with `test` whether it is there."""
        expr = self._new()
        expr.select_expr.operand.CopyFrom(operand)
        expr.select_expr.field = field
        expr.select_expr.test_only = test
        return expr

    def call(self, function: str, *args: Message, target: Message | None = None) -> Message:
        """A function, an operator by its CEL name, or with `target` a method."""
        expr = self._new()
        expr.call_expr.function = function
        expr.call_expr.args.extend(args)
        if target is not None:
            expr.call_expr.target.CopyFrom(target)
        return expr

    def when(self, condition: Message, then: Message, otherwise: Message) -> Message:
        """`condition ? then : otherwise`."""
        return self.call("_?_:_", condition, then, otherwise)

    def sequence(self, elements: Sequence[Message], optional: Sequence[int] = ()) -> Message:
        """A list; `optional` holds the indices of the elements written with `?`."""
        expr = self._new()
        expr.list_expr.SetInParent()
        expr.list_expr.elements.extend(elements)
        expr.list_expr.optional_indices.extend(optional)
        return expr

    def struct(self, name: str, entries: Sequence[tuple[Message | str, Message, bool]]) -> Message:
        """A message, or a map where `name` is empty; entries are key, value, optional."""
        expr = self._new()
        expr.struct_expr.message_name = name
        for key, value, optional in entries:
            entry = expr.struct_expr.entries.add(id=next(self._ids), optional_entry=optional)
            entry.value.CopyFrom(value)
            if isinstance(key, str):
                entry.field_key = key
            else:
                entry.map_key.CopyFrom(key)
        return expr

    def fold(  # noqa: PLR0913, PLR0917 - the parts of a comprehension
        self,
        variable: str,
        over: Message,
        accumulator: str,
        initial: Message,
        step: Message,
        result: Message,
        condition: Message | None = None,
    ) -> Message:
        """A comprehension; without `condition` it runs to the end."""
        expr = self._new()
        fold = expr.comprehension_expr
        fold.iter_var, fold.accu_var = variable, accumulator
        fold.iter_range.CopyFrom(over)
        fold.accu_init.CopyFrom(initial)
        fold.loop_condition.CopyFrom(condition or self.truth(value=True))
        fold.loop_step.CopyFrom(step)
        fold.result.CopyFrom(result)
        return expr

    def bind(self, name: str, value: Message, body: Message) -> Message:
        """`body` with `name` standing for `value`, which is computed once."""
        return self.fold("#unused", self.sequence(()), name, value, self.ident(name), body)

    def let(self, value: Message, body: Callable[[Callable[[], Message]], Message]) -> Message:
        """`bind` with a unique name; `body` gets a function that makes its ident."""
        name = f"@let{next(self._ids)}"
        return self.bind(name, value, body(lambda: self.ident(name)))
