"""The source tree of an expression: what was written, with places, macros unexpanded.

A node's `span` is the half-open range of code points of the whole sub-expression, with its own
brackets but without redundant parentheses around it: `text[span]` parses to the same sub-tree
again. Operators are calls by their CEL names (`_&&_`, `_==_`, `@in`, `_[_]`, `_?_:_`). `!!x` and
`--x` are `x`, and a chain of `&&` or `||` is a balanced tree, both as cel-go reads them. Nodes
compare by identity, so that they serve as keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from celvet.lint.cel.syntax.literals import LiteralValue
from celvet.lint.model import Span
from celvet.record import record, replace

MACROS = frozenset({"has", "all", "exists", "exists_one", "filter", "map", "optMap", "optFlatMap"})
"""The macros that Flux has."""

_LAZY = frozenset({"_&&_", "_||_", "_?_:_"})


@record(eq=False)
class Node:
    """A sub-expression; `id` is unique within its tree and counts from 1."""

    id: int
    span: Span

    @property
    def children(self) -> tuple[Node, ...]:
        """The direct sub-expressions, in source order."""
        return ()


@record(eq=False)
class Literal(Node):
    """A number, string, bytes, `true`, `false` or `null`; `kind` is its CEL type."""

    kind: str
    value: LiteralValue


@record(eq=False)
class Ident(Node):
    """A name; one with a leading dot (`.status`) keeps it in `name`."""

    name: str


@record(eq=False)
class Select(Node):
    """`operand.field`, or `operand.?field` with `optional`; `at` is the field's name."""

    operand: Node
    field: str
    optional: bool
    at: Span

    @property
    def children(self) -> tuple[Node, ...]:
        """The operand."""
        return (self.operand,)


@record(eq=False)
class Call(Node):
    """A function, method or operator; `at` is its name, or the operator's sign."""

    function: str
    target: Node | None
    args: tuple[Node, ...]
    at: Span

    @property
    def children(self) -> tuple[Node, ...]:
        """The target, if there is one, and the arguments."""
        return self.args if self.target is None else (self.target, *self.args)


@record(eq=False)
class Macro(Node):
    """A macro of `MACROS`; `args` leaves out the variables that it binds."""

    name: str
    target: Node | None
    variables: tuple[str, ...]
    args: tuple[Node, ...]
    at: Span

    @property
    def children(self) -> tuple[Node, ...]:
        """The target, if there is one, and the arguments."""
        return self.args if self.target is None else (self.target, *self.args)


@record(eq=False)
class ListExpr(Node):
    """`[a, ?b]`; `optional` holds the indices of elements written with `?`."""

    elements: tuple[Node, ...]
    optional: frozenset[int]

    @property
    def children(self) -> tuple[Node, ...]:
        """The elements."""
        return self.elements


@record(eq=False)
class MapEntry:
    """`key: value` of a map, or `field: value` of a message, where `key` is a str."""

    key: Node | str
    value: Node
    optional: bool


@record(eq=False)
class MapExpr(Node):
    """`{key: value, ?key: value}`."""

    entries: tuple[MapEntry, ...]

    @property
    def children(self) -> tuple[Node, ...]:
        """Key, value, key, value and so on."""
        return _parts(self.entries)


@record(eq=False)
class StructExpr(Node):
    """`Message{field: value}`; `at` is the message's name."""

    name: str
    entries: tuple[MapEntry, ...]
    at: Span

    @property
    def children(self) -> tuple[Node, ...]:
        """The values."""
        return _parts(self.entries)


def _parts(entries: tuple[MapEntry, ...]) -> tuple[Node, ...]:
    parts = (part for entry in entries for part in (entry.key, entry.value))
    return tuple(part for part in parts if isinstance(part, Node))


def rebuilt(
    node: Node, part: Callable[[Node], Node], bound_part: Callable[[Node], Node] | None = None
) -> Node:
    """A new node with other parts; `bound_part` is for those that see the variables of a macro."""
    result = node
    match node:
        case Select():
            result = replace(node, operand=part(node.operand))
        case Call() | Macro():
            arg = bound_part if bound_part and isinstance(node, Macro) else part
            target = node.target and part(node.target)
            result = replace(node, target=target, args=tuple(map(arg, node.args)))
        case ListExpr():
            result = replace(node, elements=tuple(map(part, node.elements)))
        case MapExpr() | StructExpr():
            entries = (
                MapEntry(
                    part(entry.key) if isinstance(entry.key, Node) else entry.key,
                    part(entry.value),
                    entry.optional,
                )
                for entry in node.entries
            )
            result = replace(node, entries=tuple(entries))
    return result


def leftmost(node: Node) -> Node:
    """What a chain of selections begins with."""
    while isinstance(node, Select):
        node = node.operand
    return node


def walk(root: Node) -> Iterator[Node]:
    """The node and all below it; a node comes before its children, these in source order."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(node.children))


def parents(root: Node) -> dict[Node, Node]:
    """Every node but the root -> the node it is a direct part of."""
    return {child: node for node in walk(root) for child in node.children}


def names(root: Node) -> Iterator[tuple[str, Ident]]:
    """Free names, without a leading dot, each with its node, in source order.

    A macro's variable is not free in the macro's arguments. Types (`int`) and
    the namespaces of functions (`sets`) are names here as well.
    """
    pending: list[tuple[Node, frozenset[str]]] = [(root, frozenset())]
    while pending:
        node, bound_names = pending.pop()
        if isinstance(node, Ident) and node.name not in bound_names:
            yield node.name.removeprefix("."), node
        inner_names = bound_names | set(node.variables) if isinstance(node, Macro) else bound_names
        children = [(child, inner_names) for child in node.children]
        if isinstance(node, Macro) and node.target is not None:
            children[0] = (node.target, bound_names)
        pending.extend(reversed(children))


def dotted_path(node: Node) -> str:
    """`a.b` of an identifier or a chain of plain selections, else the empty string."""
    if isinstance(node, Select) and not node.optional:
        prefix = dotted_path(node.operand)
        return prefix and f"{prefix}.{node.field}"
    return node.name if isinstance(node, Ident) else ""


def within_has(node: Node) -> bool:
    """Whether this is `has(...)`, or a selection or an index of it: all of that only tests."""
    while not isinstance(node, Macro):
        if isinstance(node, Select):
            node = node.operand
        elif isinstance(node, Call) and node.function in ("_[_]", "_[?_]"):
            node = node.args[0]
        else:
            return False
    return node.name == "has"


def always_evaluated(root: Node, node: Node, up: Mapping[Node, Node] | None = None) -> bool:
    """Whether every evaluation of `root` that gets far enough evaluates `node`, errors included.

    False below `&&` and `||`, either side of which absorbs the other's errors, in a branch of `?:`,
    and in the body of a macro, which may not run at all. `up` is `parents(root)`, for a caller that
    has it already.
    """
    parents_of = parents(root) if up is None else up
    while node is not root:
        parent = parents_of[node]
        if not _passes(parent, node):
            return False
        node = parent
    return True


def _passes(parent: Node, child: Node) -> bool:
    if isinstance(parent, Macro):
        return child is parent.target or parent.name == "has"
    if isinstance(parent, Call) and parent.function in _LAZY:
        return parent.function == "_?_:_" and child is parent.args[0]
    return True


def always_fails(root: Node, nodes: Iterable[Node]) -> bool:
    """Whether every evaluation of `root` fails if each of `nodes` fails.

    `&&` and `||` fail if both sides do, and `?:` if both branches do.
    """
    failing = set(nodes)
    for node in reversed([*walk(root)]):
        if _fails(node, failing):
            failing.add(node)
    return root in failing


def _fails(node: Node, failing: set[Node]) -> bool:
    if isinstance(node, Call) and node.function in _LAZY:
        condition, *branches = node.args
        if node.function == "_?_:_":
            return condition in failing or failing.issuperset(branches)
        return failing.issuperset(node.args)
    return any(child in failing and _passes(node, child) for child in node.children)
