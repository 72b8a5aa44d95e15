"""The functions that a dialect has, and how cel-go dispatches a call.

In an expression that is only parsed, cel-go looks up a function by its name alone, whether it is
written `size(x)` or `x.size()`. What counts is the number of arguments of its implementation,
including the target.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from celvet.lint.cel.syntax.tree import (
    MACROS,
    Call,
    Ident,
    ListExpr,
    Macro,
    MapExpr,
    Node,
    Select,
    dotted_path,
    walk,
)
from celvet.record import replace
from celvet.schemas.library import STANDARD, LibraryFunction, library, read_library

TYPES = frozenset(
    {"bool", "bytes", "double", "int", "list", "map", "null_type", "optional_type", "string"}
    | {"type", "uint"}
)
"""Names of types; a variable of the same name hides one."""

_WRAPPERS = ("Bool", "Bytes", "Double", "Float", "Int32", "Int64", "String", "UInt32", "UInt64")

VALUED = frozenset({f"google.protobuf.{name}" for name in ("Duration", "Empty", "Timestamp")})
"""The messages whose names are values, being types."""

MESSAGES = VALUED | {f"google.protobuf.{name}" for name in ("Any", "ListValue", "Struct", "Value")}
MESSAGES |= {f"google.protobuf.{name}Value" for name in _WRAPPERS}
"""The messages that `Name{}` may build; every other is refused at program time."""

CONVERSIONS = frozenset(
    {"bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"}
)
"""Functions that cel-go evaluates at program time if their argument is constant."""

COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "_==_": operator.eq,
    "_!=_": operator.ne,
    "_<_": operator.lt,
    "_<=_": operator.le,
    "_>_": operator.gt,
    "_>=_": operator.ge,
}
"""The operators that compare, as Python has them for two integers or two strings."""

ORDERS = frozenset(COMPARISONS) - {"_==_", "_!=_"}
"""The comparisons that ask which of two values is less."""

_MAKERS = frozenset({"_[?_]", "first", "last", "none", "of", "ofNonZeroValue"})
"""Functions and operators that make an optional from other values."""


@lru_cache(maxsize=64)
def functions(libraries: tuple[str, ...]) -> Mapping[str, LibraryFunction]:
    """Every function of the standard library and of these libraries, by name.

    Macros that our parser expands (`MACROS`) are not included. A function that two libraries have
    is evaluated only if the engine has both.
    """
    by_name: dict[str, LibraryFunction] = {}
    for source in (read_library(STANDARD), *map(library, libraries)):
        for name, function in source.functions.items():
            if not (source.evaluated and name in MACROS) or function.binds:
                by_name[name] = _either(by_name[name], function) if name in by_name else function
    return by_name


def _either(first: LibraryFunction, second: LibraryFunction) -> LibraryFunction:
    """A function that two libraries have."""
    return replace(
        first,
        style=first.style if first.style == second.style else "either",
        takes=first.takes if first.takes == second.takes else "any",
        binds=max(first.binds, second.binds),
        evaluated=first.evaluated and second.evaluated,
        overloads=first.overloads + second.overloads,
    )


@lru_cache(maxsize=64)
def missing_macros(libraries: tuple[str, ...]) -> frozenset[str]:
    """The macros that our parser expands but these libraries lack."""
    present = {name for source in map(library, libraries) for name in source.functions}
    return frozenset({"optMap", "optFlatMap"}) - present


def unevaluated_call(root: Node, libraries: tuple[str, ...]) -> str:
    """The first function called that a library has and the engine lacks; else empty.

    `json.encode` is one if its argument may be a list or map of optionals.
    """
    known_functions = functions(libraries)
    if (
        all(
            function.evaluated and not function.overloads and not function.binds
            for function in known_functions.values()
        )
        and "json.encode" not in known_functions
    ):
        return ""
    for node in walk(root):
        if isinstance(node, Call) and not is_operator(node.function):
            name, args = resolve(node, known_functions)
            function = known_functions.get(name)
            # Comprehensions of two variables pass their elements to functions of ours, and the
            # binding of the engine cannot pass an optional.
            if function and function.binds > 1 and any(map(makes_optional, walk(root))):
                return name
            if (name == "json.encode" or (function and function.overloads)) and any(
                _may_hold_optional(arg, root) for arg in args
            ):
                return name
            if name in known_functions and not known_functions[name].evaluated:
                return name
    return ""


def _may_hold_optional(node: Node, root: Node) -> bool:
    """Whether the value may be a list or map of optionals, which the engine cannot return."""
    if not any(map(makes_optional, walk(root))):
        return False
    parts = [*walk(node)]
    is_composed = any(isinstance(part, ListExpr | MapExpr | Macro) for part in parts)
    bound_names = {
        name for macro in walk(root) if isinstance(macro, Macro) for name in macro.variables
    }
    used_names = {part.name for part in parts if isinstance(part, Ident)}
    return bool(bound_names & used_names) or (is_composed and any(map(makes_optional, parts)))


def makes_optional(node: Node) -> bool:
    """Whether the value of this node may be an optional though those of its parts are not."""
    if isinstance(node, Call):
        return node.function in _MAKERS
    return isinstance(node, Select) and node.optional


def resolve(
    call: Call, known_functions: Mapping[str, LibraryFunction]
) -> tuple[str, tuple[Node, ...]]:
    """The name that cel-go looks up, and the arguments, a target first.

    `sets.contains(a, b)` is a function of that name, not a method of `sets`.
    """
    name = call.function.removeprefix(".")
    if call.target is None:
        return name, call.args
    prefix = dotted_path(call.target).removeprefix(".")
    if prefix and f"{prefix}.{name}" in known_functions:
        return f"{prefix}.{name}", call.args
    return name, (call.target, *call.args)


def is_operator(function: str) -> bool:
    """Whether this is the CEL name of an operator, rather than of a function."""
    return not function.replace(".", "").isidentifier()
