"""Walks expressions and notes what they read of an object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from celvet.lint.cel.syntax.tree import Call, Macro, Node, Select, walk
from celvet.lint.cel.syntax.vocabulary import COMPARISONS
from celvet.lint.model import Value
from celvet.lint.predict.reads.reading import Field, Reading
from celvet.lint.predict.reads.terms import (
    OPAQUE,
    At,
    Constant,
    ElementSelection,
    Otherwise,
    Steps,
    Term,
    TermsByName,
    selection,
    term,
    without_indices,
)

MATCHING = frozenset({"contains", "endsWith", "matches", "startsWith"})
_PREDICATES = frozenset({"all", "exists", "exists_one", "filter"})
_MOST_VALUES = 40
"""How many values of a long list of literals are used for a field."""


def read(roots: Iterable[Node]) -> Reading:
    """The reads of all expressions together."""
    trees = [*roots]
    readers = [_reader_of(root) for root in trees]
    values_by_path: dict[Steps, list[Value]] = {}
    for reader in readers:
        for path, values in reader.values.items():
            _extend(values_by_path.setdefault(path, []), values)
    fields = {
        path: Field(
            path,
            tuple(values[:_MOST_VALUES]),
            tuple(peer for reader in readers for peer in reader.peers.get(path, ())),
            any(path in reader.ordered_paths for reader in readers),
            any(path in guarded_fields(root) for root in trees),
            number,
        )
        for number, (path, values) in enumerate(values_by_path.items())
    }
    lists = [path for reader in readers for path in reader.lists]
    # With values left out, a search that fails proves nothing.
    is_complete = all(len(values) <= _MOST_VALUES for values in values_by_path.values())
    return Reading(fields, tuple(dict.fromkeys(lists)), len(lists), is_complete)


@lru_cache(maxsize=64)
def _reader_of(root: Node) -> _ExpressionReader:
    """The reads of one expression, which count for itself and among all of its check."""
    reader = _ExpressionReader()
    reader.visit(root, {})
    reader.truth(root, {})
    return reader


def _extend(literals: list[Value], values: Iterable[Value]) -> None:
    """Add values, each once, as far as they are used and one more."""
    for value in values:
        if len(literals) > _MOST_VALUES:
            return
        if not any(literal == value and type(literal) is type(value) for literal in literals):
            literals.append(value)


class _ExpressionReader:
    def __init__(self) -> None:
        self.values: dict[Steps, list[Value]] = {}
        self.peers: dict[Steps, list[Steps]] = {}
        self.ordered_paths: set[Steps] = set()
        self.lists: list[Steps] = []

    def visit(self, node: Node, names: TermsByName) -> None:
        if isinstance(node, Macro) and node.name != "has":
            self._macro(node, names)
            return
        operand = term(node, names)
        if isinstance(operand, At) and len(operand.path) > 1:
            self.values.setdefault(without_indices(operand.path), [])
        if isinstance(node, Call):
            self._compare(node, names)
            for condition in _conditions_of(node):
                self.truth(condition, names)
        for child in node.children:
            self.visit(child, names)

    def _macro(self, node: Macro, names: TermsByName) -> None:
        inner_names: dict[str, Term] = dict(names)
        if node.target:
            self.visit(node.target, names)
        source = selection(node.target, names)
        if source:
            self.lists.append(without_indices(source.path))
        for name in node.variables:
            inner_names[name] = _element(source, names)
        for argument in node.args:
            self.visit(argument, inner_names)
        if node.name in _PREDICATES:
            self.truth(node.args[-1], inner_names)

    def truth(self, node: Node, names: TermsByName) -> None:
        """Note that a field used as a boolean may be true."""
        place = _place(term(node, names))
        if isinstance(place, At) and not place.through and len(place.path) > 1:
            self._add(without_indices(place.path), True)

    def _compare(self, node: Call, names: TermsByName) -> None:
        if len(node.children) != 2:
            return
        sides = [_place(term(child, names)) for child in node.children]
        if node.function in COMPARISONS:
            for side, other_side in (sides, sides[::-1]):
                self._against(node, side, other_side)
        elif node.function in MATCHING:
            self._against(node, *sides)
        elif node.function == "@in":
            self._membership(*sides)

    def _against(self, node: Call, field: Term, operand: Term) -> None:
        """Note what a field is compared with: a constant, or another field."""
        if not isinstance(field, At):
            return
        path = without_indices(field.path)
        if isinstance(operand, Constant):
            self._add(path, operand.value)
        elif isinstance(operand, At):
            self.peers.setdefault(path, []).append(without_indices(operand.path))
        if node.function not in ("_==_", "_!=_"):
            self.ordered_paths.add(path)

    def _membership(self, item: Term, container: Term) -> None:
        if isinstance(item, At) and isinstance(container, Constant):
            for value in container.value if isinstance(container.value, list) else ():
                self._add(without_indices(item.path), value)

    def _add(self, path: Steps, value: Value) -> None:
        _extend(self.values.setdefault(path, []), [value])


def _conditions_of(node: Call) -> tuple[Node, ...]:
    """The operands that have to be booleans."""
    if node.function == "_?_:_":
        return node.args[:1]
    return node.args if node.function in ("_&&_", "_||_", "!_") else ()


def _place(operand: Term) -> Term:
    """The place that a comparison is about, even if a default stands in for it."""
    return operand.at if isinstance(operand, Otherwise) else operand


def _element(source: ElementSelection | None, names: TermsByName) -> Term:
    """The meaning of a macro's variable: any element of the list that the macro loops over."""
    if source is None:
        return OPAQUE
    element = At((*source.path, None))
    if view := source.view:
        return term(view.body, {**view.names, view.variable: element})
    return element


@lru_cache(maxsize=64)
def guarded_fields(root: Node) -> frozenset[Steps]:
    """The fields that `has` tests, except in variables of macros, and those written with `?`."""
    return frozenset(_guarded_fields(root))


def _guarded_fields(root: Node) -> Iterator[Steps]:
    for node in walk(root):
        field: Node | None = None
        if isinstance(node, Macro) and node.name == "has":
            field = node.args[0]
        elif isinstance(node, Select) and node.optional:
            field = node
        place = term(field, {}) if field else None
        if isinstance(place, At):
            yield without_indices(place.path)
