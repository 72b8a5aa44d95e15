"""Macros of libraries in terms of those that the engine and celvet have.

Of two variables, an index or key and its value are a list of two: `list.all(i, v, test)` is
`pairs(list).all(p, test)` with `p[0]` for `i` and `p[1]` for `v`. `cel.bind(x, value, result)` is
the result with the value in place of `x`, since cel-go evaluates the value only where `x` is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from itertools import count

from celvet.lint.cel.engine.proto import TooDeep
from celvet.lint.cel.functions.library_functions import OWN, PAIR_FUNCTIONS
from celvet.lint.cel.syntax.tree import Call, Ident, ListExpr, Literal, Macro, Node, rebuilt, walk
from celvet.lint.cel.syntax.vocabulary import functions

_PAIRS, _MAP_OF, _MERGED = (OWN + name for name in PAIR_FUNCTIONS)
_ONE = {"all": "all", "exists": "exists", "existsOne": "exists_one", "exists_one": "exists_one"}
_MAPS = {"transformList": "", "transformMap": _MAP_OF, "transformMapEntry": _MERGED}
_CEL = "cel."
_MOST_NODES = 10_000
_Names = Mapping[str, Callable[[Ident], Node]]


def without_bindings(root: Node, libraries: tuple[str, ...]) -> Node:
    """The tree with each value in place of its name, so that all see what it reads."""
    try:
        return expanded(root, libraries, 1)
    except (TooDeep, RecursionError):
        return root


@lru_cache(maxsize=1024)
def expanded(root: Node, libraries: tuple[str, ...], most: int = 2) -> Node:
    """The tree without macros of libraries; the same tree if it has none. Raises `TooDeep`.

    Macros with more than `most` variables stay.
    """
    known_functions = functions(libraries)
    macros = {
        name.removeprefix(_CEL)
        for name, function in known_functions.items()
        if 0 < function.binds <= most
    }
    if not any(isinstance(node, Call) and node.function in macros for node in walk(root)):
        return root
    return _MacroExpansion(macros, 1 + max(node.id for node in walk(root))).node(root, {})


class _MacroExpansion:
    def __init__(self, macros: set[str], first_id: int) -> None:
        self._macros, self._ids, self._size = macros, count(first_id), 0

    def node(self, node: Node, names: _Names) -> Node:
        """A node with the names of outer macros replaced; each part is a node of its own."""
        self._size += 1
        if self._size > _MOST_NODES:
            raise TooDeep("cel.bind")
        match node:
            case Ident() if node.name in names:
                return names[node.name](node)
            case Call() if node.target and node.function in self._macros and _variables(node):
                return self._macro(node, node.target, names)
            case Call(function="bind", args=(Ident() as variable, value, bound)) if _is_bind(node):
                return self._bind(variable.name, value, bound, names)
        variables = node.variables if isinstance(node, Macro) else ()
        inner = {name: use for name, use in names.items() if name not in variables}
        return rebuilt(node, partial(self.node, names=names), partial(self.node, names=inner))

    def _macro(self, node: Call, target: Node, names: _Names) -> Node:
        pair = f"@pair{next(self._ids)}"
        first, second = _variables(node)
        inner: dict[str, Callable[[Ident], Node]] = {
            **names,
            first: partial(self._use, pair, 0),
            second: partial(self._use, pair, 1),
        }
        *tests, value = (self.node(arg, inner) for arg in node.args[2:])
        # The engine has no macros of two variables: one variable runs over pairs, and its parts
        # stand for both.
        over = self._call(node, _PAIRS, self.node(target, names))
        if node.function == "transformMap":
            key = self._use(pair, 0, node)
            value = ListExpr(next(self._ids), node.span, (key, value), frozenset())
        name = _ONE.get(node.function, "map")
        loop = Macro(node.id, node.span, name, over, (pair,), (*tests, value), node.at)
        whole = _MAPS.get(node.function)
        return self._call(node, whole, loop) if whole else loop

    def _bind(self, variable: str, value: Node, result: Node, names: _Names) -> Node:
        """The result with the value for the variable; not where a loop has a name of the value."""
        loops = {name for node in walk(result) for name in _loop_variables(node)}
        if loops & {node.name for node in walk(value) if isinstance(node, Ident)}:
            raise TooDeep("cel.bind")
        return self.node(result, {**names, variable: lambda _: self.node(value, names)})

    def _use(self, pair: str, place: int, node: Node) -> Node:
        ident = Ident(next(self._ids), node.span, pair)
        index = Literal(next(self._ids), node.span, "int", place)
        return Call(next(self._ids), node.span, "_[_]", None, (ident, index), node.span)

    def _call(self, node: Call, function: str, argument: Node) -> Node:
        return Call(next(self._ids), node.span, function, None, (argument,), node.at)


def _is_bind(node: Call) -> bool:
    return isinstance(node.target, Ident) and f"{node.target.name}." == _CEL


def _loop_variables(node: Node) -> tuple[str, ...]:
    if isinstance(node, Macro):
        return node.variables
    return _variables(node) if isinstance(node, Call) else ()


def _variables(node: Call) -> tuple[str, ...]:
    """The two variables of a call that is a macro; empty for any other call."""
    names = tuple(arg.name for arg in node.args[:2] if isinstance(arg, Ident))
    most = 4 if node.function in _MAPS else 3
    is_macro = len(names) == 2 and 3 <= len(node.args) <= most
    return names if is_macro and node.function in _ONE | _MAPS else ()
