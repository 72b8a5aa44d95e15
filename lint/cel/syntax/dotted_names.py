"""Names with a leading dot (`.x`) in a macro that binds the same name.

From cel-go 0.27.0 on, `.x` is the outer variable; before, it was the macro's. In our trees, a
macro's variable that `.x` does not mean is called `@x`.
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from functools import partial

from celvet.lint.cel.syntax.lexer import scan
from celvet.lint.cel.syntax.tree import Ident, Macro, Node, names, rebuilt, walk
from celvet.record import replace

_RENAMED = "@"


def bind_dotted_names(root: Node, *, outer: bool) -> Node:
    """The tree with unambiguous names; the same tree if no name is ambiguous.

    With `outer`, a name with a leading dot is the outer variable.
    """
    dotted_names = {
        node.name[1:] for node in walk(root) if isinstance(node, Ident) and node.name[0] == "."
    }
    if not dotted_names:
        return root
    bound_names = {
        name for node in walk(root) if isinstance(node, Macro) for name in node.variables
    }
    ambiguous_names = dotted_names & bound_names
    return (
        _rename(root, frozenset(ambiguous_names), frozenset(), outer=outer)
        if ambiguous_names
        else root
    )


def _rename(
    node: Node, ambiguous_names: frozenset[str], renamed_names: frozenset[str], *, outer: bool
) -> Node:
    def rename_part(part: Node, part_names: frozenset[str] = renamed_names) -> Node:
        return _rename(part, ambiguous_names, part_names, outer=outer)

    if isinstance(node, Ident):
        return replace(node, name=_name(node.name, renamed_names, outer=outer))
    if not isinstance(node, Macro):
        return rebuilt(node, rename_part)
    # Only a macro adds to the names that are renamed below it.
    inner_names = renamed_names | (ambiguous_names & set(node.variables))
    variables = tuple(_name(name, inner_names, outer=outer) for name in node.variables)
    macro = replace(node, variables=variables)
    return rebuilt(macro, rename_part, partial(rename_part, part_names=inner_names))


def _name(name: str, renamed_names: frozenset[str], *, outer: bool) -> str:
    plain = name.removeprefix(".")
    if plain not in renamed_names:
        return name
    if not outer:
        return plain
    return plain if name != plain else _RENAMED + plain


def unambiguous_text(text: str, root: Node) -> str:
    """The text, at the same length, in a spelling that every release reads as the tree.

    The renamed variables of macros get other names, and a dot before a macro's variable is left
    out. The text stays as it is if there is nothing to do, or no free name of the same length.
    """
    letters = list(text)
    tokens = scan(text)
    used_names = {token.text for token in tokens}
    for node in walk(root):
        if isinstance(node, Macro) and node.variables and node.variables[0][0] == _RENAMED:
            name = node.variables[0][1:]
            new_name = next(
                (spelling for spelling in _spellings(name) if spelling not in used_names), name
            )
            used_names.add(new_name)
            places = [
                token.start for token in tokens if token.start > node.at.end and token.text == name
            ]
            places[1:] = (use.span.start for use in _uses(node))
            for place in places:
                letters[place : place + len(name)] = new_name
    # Leave out each dot that the tree has lost.
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
