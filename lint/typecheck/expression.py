"""Checks a CEL expression against the schema of the object that it reads."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from celvet.lint.cel.syntax.tree import Call, Ident, ListExpr, Literal, Macro, MapExpr, Node, Select
from celvet.lint.cel.syntax.vocabulary import COMPARISONS, functions, is_operator, resolve
from celvet.lint.crds import Structural
from celvet.lint.model import Span
from celvet.lint.similar import closest_name
from celvet.lint.typecheck import calls
from celvet.lint.typecheck.calls import check_arithmetic, check_comparison, check_membership
from celvet.lint.typecheck.exclusions import Exclusions
from celvet.lint.typecheck.mismatch import ABSENT, FAILS, TypeMismatch, no_field, wrong_use
from celvet.lint.typecheck.types import ANY, BOOL, NUMBER, Type, common_type, optional_of
from celvet.schemas import Dialect

_Scope: TypeAlias = Mapping[str, Type]
"""The variables that the macros around bind."""

_PREDICATES = ("all", "exists", "exists_one", "filter")
_LITERALS: Mapping[str, Type] = {
    "bool": BOOL,
    "bytes": Type("bytes"),
    "null": Type("null"),
    **dict.fromkeys(("double", "int", "uint"), NUMBER),
}
_Key: TypeAlias = tuple[str, tuple[int, int]]
_MAX_DEPTH = 100
"""Levels of nesting that are followed; no expression written by hand has a third of it."""


class _Flow:
    """Infers types and collects mismatches.

    `look_up` gives the type of a free name, `libraries` are those of the dialect.
    """

    def __init__(
        self, kind: str, look_up: Callable[[str], Type], libraries: tuple[str, ...]
    ) -> None:
        self._kind = kind
        self._known = functions(libraries)
        self._look_up = look_up
        self._mismatches: list[TypeMismatch] = []
        self._missing: dict[str, tuple[TypeMismatch, str]] = {}
        self._tested: set[str] = set()
        self._types: dict[Node, Type] = {}
        self._exclusions = Exclusions(self._types)

    def mismatches(self) -> Iterator[TypeMismatch]:
        """The mismatches found.

        A missing field that the expression itself tests for may belong to another version of the
        software, so it is reported only if another field was probably meant.
        """
        yield from self._mismatches
        for path, (mismatch, near) in self._missing.items():
            if near or path not in self._tested:
                yield mismatch

    def infer(self, node: Node, scope: _Scope) -> Type:
        """The type of a sub-expression; whatever is wrong inside is reported once."""
        handle = _BY_NODE.get(type(node), _Flow._unknown)
        kind = self._types[node] = handle(self, node, scope)
        return kind

    def require_bool(self, node: Node, kind: Type) -> None:
        """Report an expression that is neither true nor false, given its type."""
        if kind.is_not("bool"):
            advice = "Compare it with a value."
            self._report(wrong_use(kind, "is neither true nor false", advice, node.span))

    def _report(self, *mismatches: TypeMismatch) -> None:
        self._mismatches += mismatches

    def _unknown(self, node: Node, scope: _Scope) -> Type:
        for child in node.children:
            self.infer(child, scope)
        return ANY

    def _literal(self, node: Literal, _: _Scope) -> Type:
        if isinstance(node.value, str):
            return Type("string", values=(node.value,))
        return _LITERALS.get(node.kind, ANY)

    def _ident(self, node: Ident, scope: _Scope) -> Type:
        if node.name in scope:
            return scope[node.name]
        return self._look_up(node.name.removeprefix("."))

    def _list(self, node: ListExpr, scope: _Scope) -> Type:
        kinds = [self.infer(element, scope) for element in node.elements]
        alike = len({kind.category for kind in kinds}) == 1
        return Type("list", inner=Type(kinds[0].category) if alike else ANY, empty=not kinds)

    def _map(self, node: MapExpr, scope: _Scope) -> Type:
        self._unknown(node, scope)
        return Type("map", empty=not node.entries)

    def _select(self, node: Select, scope: _Scope, tested: bool = False) -> Type:
        operand = self.infer(node.operand, scope)
        field_type = self._field(operand, node.field, node.at, tested or node.optional)
        return optional_of(field_type) if node.optional else field_type

    def _field(self, operand: Type, name: str, span: Span, tested: bool) -> Type:
        """The type of a field, through optionals."""
        if operand.category == "optional":
            return optional_of(self._field(operand.element, name, span, tested=True))
        if operand.is_not("map"):
            element = " of an element" if operand.category == "list" else ""
            advice = f"Read `{name}`{element}." if element else f"Remove `.{name}`."
            then = ABSENT if tested else FAILS
            self._report(wrong_use(operand, f"has no field `{name}`", advice, span, then))
        if operand.category != "map" or operand.node is None:
            return ANY
        # A missing field is kept apart until all tests for it are known.
        path = f"{operand.path}.{name}"
        if tested:
            self._tested.add(path)
        field = operand.node.field(name)
        if field is None and path not in self._missing:
            near = closest_name(name, operand.node.names)
            self._missing[path] = (no_field(self._kind, path, near, span, tested), near)
        return Type.of(field, path) if field else ANY

    def _macro(self, node: Macro, scope: _Scope) -> Type:
        # `has` does not evaluate its argument, so a missing field in it is no mismatch.
        if node.name == "has":
            argument = node.args[0]
            if isinstance(argument, Select):
                self._select(argument, scope, tested=True)
            return BOOL
        target = self.infer(node.target, scope) if node.target else ANY
        if node.name in ("optMap", "optFlatMap"):
            return self._within_optional(node, target, scope)
        if target.is_not("list", "map"):
            advice = "Loop over a list."
            self._report(wrong_use(target, f"`{node.name}` cannot loop over", advice, node.at))
        # The bodies are checked even for an unknown target: they may read other fields.
        element = target.element if target.category in ("list", "map") else ANY
        inner_scope = {**scope, **dict.fromkeys(node.variables, element)}
        bodies = [self.infer(arg, inner_scope) for arg in node.args]
        if node.name in _PREDICATES or len(bodies) > 1:
            self.require_bool(node.args[0], bodies[0])
        if node.name == "map":
            return Type("list", inner=bodies[-1])
        if node.name != "filter":
            return BOOL
        return target if target.category == "list" else Type("list", inner=element)

    def _within_optional(self, node: Macro, target: Type, scope: _Scope) -> Type:
        element = target.element if target.category == "optional" else ANY
        inner_scope = {**scope, **dict.fromkeys(node.variables, element)}
        result = self.infer(node.args[0], inner_scope)
        return optional_of(result) if node.name == "optMap" else result

    def _call(self, node: Call, scope: _Scope) -> Type:
        if not is_operator(node.function):
            return self._function(node, scope)
        args = [self.infer(arg, scope) for arg in node.args]
        return _BY_OPERATOR.get(node.function, _Flow._arithmetic)(self, node, args)

    def _logic(self, node: Call, args: Sequence[Type]) -> Type:
        for arg, kind in zip(node.args, args, strict=True):
            self.require_bool(arg, kind)
        if node.function == "_&&_":
            self._report(*self._exclusions.conjunction(node))
        return BOOL

    def _branch(self, node: Call, args: Sequence[Type]) -> Type:
        self.require_bool(node.args[0], args[0])
        return common_type(args[1], args[2])

    def _comparison(self, node: Call, args: Sequence[Type]) -> Type:
        self._report(*check_comparison(node, args[0], args[1]))
        return BOOL

    def _arithmetic(self, node: Call, args: Sequence[Type]) -> Type:
        self._report(*check_arithmetic(node, args))
        categories = {kind.category for kind in args}
        return Type(args[0].category) if categories in ({"number"}, {"string"}) else ANY

    def _function(self, node: Call, scope: _Scope) -> Type:
        name, parts = resolve(node, self._known)
        function = self._known.get(name)
        if function and not function.evaluated:
            # the variables of a macro are not fields of the object
            for part in parts[: 0 if function.binds else None]:
                self.infer(part, scope)
            return ANY
        args = [self.infer(part, scope) for part in parts]
        categories = calls.takes(name)
        if args and categories and args[0].is_not(*categories):
            advice = "Call it on a string." if categories == ("string",) else "Remove the call."
            self._report(wrong_use(args[0], f"`{name}` does not take", advice, node.at))
        return calls.result(name, args)

    def _indexing(self, node: Call, args: Sequence[Type]) -> Type:
        element_type = self._index(node, args[0], args[1])
        return optional_of(element_type) if node.function == "_[?_]" else element_type

    def _index(self, node: Call, operand: Type, index: Type) -> Type:
        if operand.category == "optional":
            return optional_of(self._index(node, operand.element, index))
        key = node.args[1]
        if operand.category == "map" and isinstance(key, Literal) and isinstance(key.value, str):
            return self._field(operand, key.value, key.span, node.function == "_[?_]")
        if operand.category == "map" and operand.node and (element := operand.node.map_value):
            return Type.of(element, f"{operand.path}[]")
        if operand.category != "list":
            return ANY
        if operand.path and index.category == "string":
            advice = "Give the number of the element, or use `exists`."
            self._report(wrong_use(operand, "has no keys", advice, key.span))
        return operand.element

    def _membership(self, node: Call, args: Sequence[Type]) -> Type:
        (left, right), (item, container) = node.args, args
        if container.category == "map" and isinstance(left, Literal) and item.category == "string":
            self._field(container, str(left.value), left.span, tested=True)
        elif isinstance(right, ListExpr):
            elements = [(element, self._types[element]) for element in right.elements]
            self._report(*check_membership(node, item, elements))
        elif container.category == "list":
            self._report(*check_membership(node, item, [(right, container.element)]))
        return BOOL


_BY_NODE: Mapping[type[Node], Callable[[_Flow, Any, _Scope], Type]] = {
    Call: _Flow._call,
    Ident: _Flow._ident,
    ListExpr: _Flow._list,
    Literal: _Flow._literal,
    Macro: _Flow._macro,
    MapExpr: _Flow._map,
    Select: _Flow._select,
}

_BY_OPERATOR: Mapping[str, Callable[[_Flow, Call, Sequence[Type]], Type]] = {
    **dict.fromkeys(("_&&_", "_||_", "!_"), _Flow._logic),
    **dict.fromkeys(COMPARISONS, _Flow._comparison),
    **dict.fromkeys(("_[_]", "_[?_]"), _Flow._indexing),
    "@in": _Flow._membership,
    "_?_:_": _Flow._branch,
}


def in_expression(
    root: Node, kind: str, versions: Sequence[Structural], dialect: Dialect, names: Container[str]
) -> list[TypeMismatch]:
    """The mismatches that every version of the kind agrees on, in source order.

    The variables in `names` each stand for an object of the kind; in a dialect
    without variables, the names are the object's own top-level fields.
    """
    if _deeper_than(_MAX_DEPTH, root):
        return []
    agreed_mismatches: Mapping[_Key, TypeMismatch] = {}
    for index, version in enumerate(versions):
        mismatches = _in_version(root, kind, version, dialect, names)
        agreed_mismatches = (
            {key: agreed_mismatches[key] for key in mismatches if key in agreed_mismatches}
            if index
            else mismatches
        )
        if not agreed_mismatches:
            break
    return [
        agreed_mismatches[key]
        for key in sorted(agreed_mismatches, key=lambda key: (key[1], key[0]))
    ]


def _in_version(
    root: Node, kind: str, version: Structural, dialect: Dialect, names: Container[str]
) -> Mapping[_Key, TypeMismatch]:
    def look_up(name: str) -> Type:
        if dialect.variables:
            return Type.of(version, name) if name in names else ANY
        field = version.field(name)
        return Type.of(field, name) if field else ANY

    flow = _Flow(kind, look_up, dialect.libraries)
    result = flow.infer(root, {})
    if dialect.result == "bool":
        flow.require_bool(root, result)
    return {(mismatch.rule, mismatch.span): mismatch for mismatch in flow.mismatches()}


def _deeper_than(limit: int, root: Node) -> bool:
    level = [root]
    for _ in range(limit):
        level = [child for node in level for child in node.children]
        if not level:
            return False
    return True
