"""Names with a leading dot (`.x`) in a macro that binds the same name.

From cel-go 0.27.0 on, `.x` is the outer variable; before, it was the macro's. In our trees, a
macro's variable that `.x` does not mean is called `@x`.
"""

from __future__ import annotations

import string
from collections.abc import Iterator

from celvet.lint.cel.syntax.lexer import scan
from celvet.lint.cel.syntax.tree import (
    Call,
    Ident,
    ListExpr,
    Macro,
    MapEntry,
    MapExpr,
    Node,
    Select,
    StructExpr,
    names,
    walk,
)
from celvet.record import replace

_RENAMED = "@"


def bind_dotted_names(root: Node, *, outer: bool) -> Node:
    """The tree with unambiguous names; the same tree if no name is ambiguous.

    With `outer`, a name with a leading dot is the outer variable.
    """
    dotted = {
        node.name[1:] for node in walk(root) if isinstance(node, Ident) and node.name[0] == "."
    }
    if not dotted:
        return root
    bound = {name for node in walk(root) if isinstance(node, Macro) for name in node.variables}
    doubtful = dotted & bound
    return _renamed(root, frozenset(doubtful), frozenset(), outer=outer) if doubtful else root


def _renamed(node: Node, doubtful: frozenset[str], bound: frozenset[str], *, outer: bool) -> Node:
    def again(part: Node, inside: frozenset[str] = bound) -> Node:
        return _renamed(part, doubtful, inside, outer=outer)

    def entry(each: MapEntry) -> MapEntry:
        key = again(each.key) if isinstance(each.key, Node) else each.key
        return MapEntry(key, again(each.value), each.optional)

    made = node
    match node:
        case Ident():
            made = replace(node, name=_name(node.name, bound, outer=outer))
        case Macro():
            inside = bound | (doubtful & set(node.variables))
            made = replace(
                node,
                target=node.target and again(node.target),
                variables=tuple(_name(name, inside, outer=outer) for name in node.variables),
                args=tuple(again(arg, inside) for arg in node.args),
            )
        case Select():
            made = replace(node, operand=again(node.operand))
        case Call():
            target = node.target and again(node.target)
            made = replace(node, target=target, args=tuple(map(again, node.args)))
        case ListExpr():
            made = replace(node, elements=tuple(map(again, node.elements)))
        case MapExpr() | StructExpr():
            made = replace(node, entries=tuple(map(entry, node.entries)))
    return made


def _name(name: str, bound: frozenset[str], *, outer: bool) -> str:
    plain = name.removeprefix(".")
    if plain not in bound:
        return name
    if not outer:
        return plain
    return plain if name != plain else _RENAMED + plain


def undoubtful(text: str, root: Node) -> str:
    """The text, at the same length, in a spelling that every release reads as the tree.

    The renamed variables of macros get other names, and a dot before a macro's variable is left
    out. The text stays as it is if there is nothing to do, or no free name of the same length.
    """
    letters = list(text)
    tokens = scan(text)
    taken = {token.text for token in tokens}
    for node in walk(root):
        if isinstance(node, Macro) and node.variables and node.variables[0][0] == _RENAMED:
            name = node.variables[0][1:]
            instead = next((each for each in _spellings(name) if each not in taken), name)
            taken.add(instead)
            places = [
                each.start for each in tokens if each.start > node.at.end and each.text == name
            ]
            places[1:] = (each.span.start for each in _uses(node))
            for place in places:
                letters[place : place + len(name)] = instead
    if "".join(letters) == text:
        for node in walk(root):
            if isinstance(node, Ident) and node.name[0] != "." and text[node.span.start] == ".":
                letters[node.span.start] = " "
    return "".join(letters)


def _spellings(name: str) -> Iterator[str]:
    return (letter + name[1:] for letter in string.ascii_letters)


def _uses(macro: Macro) -> Iterator[Node]:
    """The uses of a macro's variable, without those that an inner macro binds."""
    for arg in macro.args:
        for name, node in names(arg):
            if name == macro.variables[0]:
                yield node
