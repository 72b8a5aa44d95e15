"""What an expression tells of its texts: which have all of another, which begin with a quote."""

from __future__ import annotations

from celvet.lint.cel.syntax.tree import Call, Ident, Literal, Node, Select

_SHORTER = ("charAt", "lowerAscii", "reverse", "substring", "trim", "upperAscii")
_AS_LONG = ("lowerAscii", "reverse", "upperAscii")


def quoted(node: Node) -> bool:
    """Whether a text begins as `json.encode` or `strings.quote` writes it."""
    while isinstance(node, Call) and node.function == "_+_":
        node = node.args[0]
    if not isinstance(node, Call) or node.target is None:
        return False
    return (*_path(node.target), node.function) in (("json", "encode"), ("strings", "quote"))


def has_whole(part: Node, text: Node) -> bool:
    """Whether `part` is no shorter than `text`, but for a constant number of characters."""
    wanted = _path(_stripped(text, _SHORTER))
    return bool(wanted) and _has(part, wanted)


def same(one: Node, other: Node) -> bool:
    """Whether both read the same field, or the same variable of a loop."""
    return bool(_path(one)) and _path(one) == _path(other)


def _has(part: Node, wanted: tuple[str, ...]) -> bool:
    held = _stripped(part, _AS_LONG)
    if isinstance(held, Call) and held.function == "_+_":
        return any(_has(each, wanted) for each in held.args)
    if isinstance(held, Call) and held.function == "substring" and held.target is not None:
        fixed = len(held.args) == 1 and isinstance(held.args[0], Literal)
        return fixed and _has(held.target, wanted)
    return _path(held) == wanted


def _stripped(node: Node, methods: tuple[str, ...]) -> Node:
    while isinstance(node, Call) and node.function in methods and node.target is not None:
        node = node.target
    return node


def _path(node: Node) -> tuple[str, ...]:
    """The names of a variable and its fields; none for any other node."""
    if isinstance(node, Ident):
        return (node.name.removeprefix("."),)
    if isinstance(node, Select) and (before := _path(node.operand)):
        return (*before, node.field)
    return ()
