"""Turns a source tree into one that the engine evaluates like cel-go.

Calls get the style in which the engine declares the function. With `precise`, guards protect the
places where the engines differ on values of the wrong type (see `guards`). The plain tree is
faster, and sufficient if it gives a value: guards only turn errors into values or into other
errors, and an operator that absorbs an error gives the same value in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from google.protobuf.message import DecodeError, EncodeError

from celvet.lint.cel.compat.builder import TreeBuilder
from celvet.lint.cel.compat.expansions import EXPANSIONS
from celvet.lint.cel.compat.guards import Guards
from celvet.lint.cel.compat.substitutes import (
    compare_with_nan,
    format_call,
    negation,
    substitute,
    time_text,
)
from celvet.lint.cel.compat.type_tests import MakeValue, fail, is_a
from celvet.lint.cel.engine.proto import Message, TooDeep
from celvet.lint.cel.functions.go_functions import UTF8
from celvet.lint.cel.functions.library_functions import OWN
from celvet.lint.cel.syntax.tree import (
    Call,
    Ident,
    ListExpr,
    Literal,
    Macro,
    MapEntry,
    MapExpr,
    Node,
    Select,
    StructExpr,
    dotted_path,
    walk,
    within_has,
)
from celvet.lint.cel.syntax.vocabulary import (
    MESSAGES,
    ORDERS,
    TYPES,
    VALUED,
    functions,
    is_operator,
    makes_optional,
    resolve,
)
from celvet.record import record
from celvet.schemas.cel_go import CelGoChange, changes
from celvet.schemas.dialect import Dialect

_BYTES = ("bytes", "base64.decode")
"""The functions that give bytes, which no object holds."""
_NETWORKS = {"ip": "@ip", "cidr": "@cidr", "masked": "@cidr"}
"""The functions that give addresses and networks, with the key of the text in such a value."""
_NAN = ("double", "_/_", "_*_")
"""What may give NaN, or an infinity of which the rest makes NaN; no object holds either."""


@record
class CallSite:
    """The context of a tree: libraries, whether types are checked, and changes of cel-go."""

    libraries: tuple[str, ...]
    is_checked: bool = False
    changes: frozenset[CelGoChange] = frozenset()

    @classmethod
    def of(cls, dialect: Dialect) -> CallSite:
        """The site of a dialect's expressions."""
        return cls(dialect.libraries, dialect.checked, changes(dialect.cel_go))


def lower(root: Node, site: CallSite, *, precise: bool = False) -> Message:
    """The `cel.expr.Expr` of a tree; raises `TooDeep`."""
    try:
        return _Lowering(root, site, precise=precise).expr(root)
    except (RecursionError, DecodeError, EncodeError) as error:
        raise TooDeep(str(error)) from None


class _Lowering:
    def __init__(self, root: Node, site: CallSite, *, precise: bool) -> None:
        self._known = functions(site.libraries)
        self._checked = site.is_checked
        self._changes = site.changes
        self._precise = precise
        self._build = TreeBuilder()
        self._optionals = any(map(makes_optional, walk(root)))
        self._bytes = any(map(self._makes_bytes, walk(root)))
        self._nan = any(isinstance(node, Call) and node.function in _NAN for node in walk(root))
        self._guards = Guards(self._build, optionals=self._optionals)

    def expr(self, node: Node) -> Message:
        """The engine's tree of one sub-expression."""
        tree: Message = self._BY_KIND[type(node)](self, node)
        return tree

    def _literal(self, node: Literal) -> Message:
        return self._build.constant(node.kind, node.value)

    def _ident(self, node: Ident) -> Message:
        return self._build.ident(node.name.removeprefix("."))

    def _list(self, node: ListExpr) -> Message:
        elements = [self.expr(element) for element in node.elements]
        return self._build.sequence(elements, sorted(node.optional))

    def _map(self, node: MapExpr) -> Message:
        return self._build.struct("", [self._entry(entry) for entry in node.entries])

    def _struct(self, node: StructExpr) -> Message:
        name = node.name.removeprefix(".")
        return self._build.struct(name, [self._entry(entry) for entry in node.entries])

    def _entry(
        self, entry: MapEntry, lower_value: Callable[[Node], Message] | None = None
    ) -> tuple[Message | str, Message, bool]:
        key = entry.key if isinstance(entry.key, str) else self.expr(entry.key)
        return key, (lower_value or self.expr)(entry.value), entry.optional

    def _select(self, node: Select) -> Message:
        name = dotted_path(node).removeprefix(".")
        if name in MESSAGES - VALUED and not self._checked:
            return fail(self._build, f"no such attribute(s): {name}")
        operand = self._operand(node.operand, node.field)
        if within_has(node.operand):
            return self._existence_test(operand)
        if self._precise and not name.startswith("google.protobuf"):
            return self._guards.select(operand, node.field, optional=node.optional)
        if node.optional:
            return self._build.call("_?._", operand, self._build.text(node.field))
        return self._build.select(operand, node.field)

    def _operand(self, node: Node, field: str) -> Message:
        """What a field is read from; a type has none, and cel-go's error has the qualified name."""
        operand = self.expr(node)
        name = dotted_path(node).removeprefix(".")
        if name not in TYPES | VALUED:
            return operand
        absent = fail(self._build, f"no such attribute(s): {name}.{field}")

        def choose(value: MakeValue) -> Message:
            return self._build.when(is_a(self._build, value, "type"), absent, value())

        return self._build.let(operand, choose)

    def _existence_test(self, test: Message) -> Message:
        """A field or an element within `has(...)`: cel-go only tests whether it exists."""
        absent = self._build.truth(value=False)
        return self._build.when(test, absent, absent)

    def _macro(self, node: Macro) -> Message:
        if node.target is None:
            return self._has(node.args[0])
        target, args = self.expr(node.target), map(self.expr, node.args)
        if self._precise and not node.name.startswith("opt"):
            target = self._guards.iterable(target)
        return EXPANSIONS[node.name](self._build, target, node.variables[0], *args)

    def _has(self, node: Node) -> Message:
        if not isinstance(node, Select):
            raise TypeError(node)
        operand = self._operand(node.operand, node.field)
        if self._precise:
            return self._guards.has(operand, node.field)
        return self._build.select(operand, node.field, test=True)

    def _call(self, node: Call) -> Message:
        if is_operator(node.function):
            return self._operator(node)
        name, nodes = resolve(node, self._known)
        # Of times within the argument, the binding would drop the nanoseconds.
        lower_arg = self._encodable if name == "json.encode" else self.expr
        args = [lower_arg(arg) for arg in nodes]
        function = self._known.get(name)
        if function is None:
            return self._build.call(name, *args)
        if name == "string" and (key := self._network_key(nodes[0])):
            args = [self._build.call("_[_]", args[0], self._build.text(key))]
        # Guards cost time, so they are built only to explain an error or where the plain answer may
        # differ.
        if self._precise and (guarded_call := self._guarded_call(name, nodes, args)):
            return guarded_call
        if any(len(args) == len(kinds) - 1 for kinds in function.overloads):
            value = self._own_call(name, args)
            # The binding cuts the bytes of our functions at a NUL, so they give base64.
            is_bytes = function.overloads[0][-1] == "bytes"
            return self._build.call("base64.decode", value) if is_bytes else value
        if name == "format" and len(args) == 2:
            return self._text(
                self._format(nodes) or self._build.call(name, args[1], target=args[0])
            )

        def call(*values: Message) -> Message:
            if function.style == "method" and values:
                return self._build.call(name, *values[1:], target=values[0])
            return self._build.call(name, *values)

        return substitute(self._build, name, args, self._changes, call) or call(*args)

    def _network_key(self, node: Node) -> str:
        """The key of the text in an address or network that this call makes, else empty."""
        name = resolve(node, self._known)[0] if isinstance(node, Call) else ""
        return _NETWORKS.get(name, "") if name in self._known else ""

    def _own_call(self, name: str, args: list[Message]) -> Message:
        """A call of a function that only celvet has; the binding cannot pass it an optional."""
        b = self._build
        if not self._optionals:
            return b.call(OWN + name, *args)

        def pass_on(values: list[MakeValue], rest: list[Message]) -> Message:
            if not rest:
                return b.call(OWN + name, *[value() for value in values])
            # Arguments are bound one by one, so that each is evaluated once and in cel-go's order.
            refusal = fail(b, "no such overload")
            return b.let(
                rest[0],
                lambda value: b.when(
                    is_a(b, value, "optional_type"), refusal, pass_on([*values, value], rest[1:])
                ),
            )

        return pass_on([], args)

    def _guarded_call(
        self, name: str, nodes: Sequence[Node], args: Sequence[Message]
    ) -> Message | None:
        """A call of two arguments for which cel-go and the engine give different answers."""
        if len(args) == 2 and name in ("or", "orValue"):
            return self._guards.alternative(name, *args, strict="strict-or" in self._changes)
        if len(args) == 2 and name == "matches" and isinstance(nodes[1], Literal):
            return self._guards.matches(*args)
        return None

    def _encodable(self, node: Node) -> Message:
        """An argument of `json.encode`: the binding passes times only to the microsecond."""
        if isinstance(node, ListExpr) and not node.optional:
            return self._build.sequence([self._encodable(element) for element in node.elements])
        if isinstance(node, MapExpr):
            entries = [self._entry(entry, self._encodable) for entry in node.entries]
            return self._build.struct("", entries)
        return time_text(self._build, self.expr(node))

    def _makes_bytes(self, node: Node) -> bool:
        if isinstance(node, Call) and not is_operator(node.function):
            return resolve(node, self._known)[0] in _BYTES
        return isinstance(node, Literal) and node.kind == "bytes"

    def _text(self, text: Message) -> Message:
        """What `format` prints: of bytes, cel-go makes a text that the binding cannot read."""
        if not self._bytes:
            return text
        return self._build.call(UTF8, self._build.call("bytes", text))

    def _format(self, nodes: Sequence[Node]) -> Message | None:
        text, values = nodes
        if not (isinstance(text, Literal) and isinstance(text.value, str)):
            return None
        if not isinstance(values, ListExpr) or values.optional:
            return None
        arguments = [self.expr(value) for value in values.elements]
        return format_call(self._build, text.value, arguments, self._changes)

    def _operator(self, node: Call) -> Message:
        name = node.function
        if name == "@in" and self._checked and _is_empty(node.args[1]):
            return self._build.truth(value=False)
        args = [self.expr(arg) for arg in node.args]
        if name == "_[?_]" and isinstance(node.args[1], Literal):
            args[0] = self._operand(node.args[0], str(node.args[1].value))
        if name == "-_" and self._precise:
            return negation(self._build, args[0])
        if name == "@in" and self._precise:
            return self._guards.member(*args)
        if name in ("_[_]", "_[?_]") and within_has(node.args[0]):
            return self._existence_test(args[0])
        # The engine accepts any key in `[?key]`, which is an error in cel-go, and gives a value for
        # an index that the list in an optional does not have.
        has_variable_key = name == "_[?_]" and not isinstance(node.args[1], Literal)
        may_be_optional = name == "_[_]" and self._optionals
        if has_variable_key or may_be_optional or (self._precise and name in ("_[_]", "_[?_]")):
            return self._guards.index(*args, optional=name == "_[?_]")
        return self._unguarded_operator(name, args)

    def _unguarded_operator(self, name: str, args: Sequence[Message]) -> Message:
        """An operator that needs no guards, or a function that no expression can name."""
        if name.startswith(OWN):
            return self._own_call(name.removeprefix(OWN), list(args))
        if name in ORDERS and self._nan:
            strict = "unordered-nan" not in self._changes
            return compare_with_nan(self._build, name, *args, strict=strict)
        return self._build.call(name, *args)

    _BY_KIND: ClassVar[dict[type[Node], Callable[..., Message]]] = {
        Literal: _literal,
        Ident: _ident,
        Select: _select,
        Call: _call,
        Macro: _macro,
        ListExpr: _list,
        MapExpr: _map,
        StructExpr: _struct,
    }


def _is_empty(node: Node) -> bool:
    """Whether this is `[]`: cel-go then knows `x in []` without evaluating x."""
    return isinstance(node, ListExpr) and not node.elements
