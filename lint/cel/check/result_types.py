"""The type of an expression's value, where its outermost operation determines it.

For expressions that are only parsed: the controller does not type-check them, so
the type checker's errors about their parts would be false.
"""

from __future__ import annotations

from celvet.lint.cel.syntax.tree import Call, ListExpr, Literal, Macro, MapExpr, Node, Select
from celvet.lint.cel.syntax.vocabulary import functions, resolve

_LITERALS = {
    "bool": "bool",
    "null": "null",
    "string": "a text",
    "bytes": "bytes",
    **dict.fromkeys(("int", "uint", "double"), "a number"),
}
_OPERATORS = {
    **dict.fromkeys(("_-_", "_*_", "_/_", "_%_", "-_"), "a number"),
    "_+_": "a sum",
    "_[?_]": "an optional value",
}
_MACROS = {
    **dict.fromkeys(("filter", "map"), "a list"),
    **dict.fromkeys(("optMap", "optFlatMap"), "an optional value"),
}
_FUNCTIONS = {
    "a number": "size int uint double indexOf lastIndexOf getDate getDayOfMonth getDayOfWeek"
    " getDayOfYear getFullYear getHours getMilliseconds getMinutes getMonth getSeconds",
    "a text": "string charAt format join lowerAscii upperAscii replace reverse substring trim"
    " strings.quote base64.encode",
    "bytes": "bytes base64.decode",
    "a list": "split",
    "a time": "timestamp",
    "a duration": "duration",
    "a type": "type",
    "an optional value": "optional.none optional.of optional.ofNonZeroValue first last or",
}
_RESULTS = {name: kind for kind, names in _FUNCTIONS.items() for name in names.split()}
"""Function -> the type of its value, for those that never give a boolean."""


def result_kind(root: Node, libraries: tuple[str, ...]) -> str:
    """The type of the expression's value, in words.

    `bool` if it may be a boolean, or if nothing is known.
    """
    if isinstance(root, Literal):
        return _LITERALS.get(root.kind, "bool")
    if isinstance(root, ListExpr):
        return "a list"
    if isinstance(root, MapExpr):
        return "a map"
    if isinstance(root, Macro):
        return _MACROS.get(root.name, "bool")
    if isinstance(root, Select):
        return "an optional value" if root.optional else "bool"
    return _call(root, libraries) if isinstance(root, Call) else "bool"


def _call(root: Call, libraries: tuple[str, ...]) -> str:
    if root.function == "_?_:_":
        kinds = {result_kind(branch, libraries) for branch in root.args[1:]}
        return kinds.pop() if len(kinds) == 1 else "bool"
    if root.function in _OPERATORS:
        return _OPERATORS[root.function]
    known = functions(libraries)
    name, _ = resolve(root, known)
    function = known.get(name)
    return _RESULTS.get(name, "bool") if function and function.evaluated else "bool"
