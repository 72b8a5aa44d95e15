"""Explains a call of a function that the controller does not have.

If the expression is type-checked, or the call has no argument, the controller refuses the
expression. Otherwise, evaluation fails as soon as it reaches the call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from celvet.lint.cel.check.foreign_functions import look_up
from celvet.lint.cel.syntax.tree import MACROS, Call, Macro, Node, dotted_path, walk
from celvet.lint.cel.syntax.vocabulary import functions, is_operator, missing_macros, resolve
from celvet.lint.similar import closest_name
from celvet.record import record
from celvet.schemas.library import LibraryFunction

_MACRO_FORMS = {
    "has": "`has(x.field)`",
    "map": "`list.map(x, value)` or `list.map(x, condition, value)`",
    "optMap": "`optional.optMap(x, value)`",
    "optFlatMap": "`optional.optFlatMap(x, value)`",
}


class UnknownFunction(NamedTuple):
    """The name called, what is wrong with it, and what to do, which may be empty."""

    name: str
    reason: str
    hint: str


@record
class UnknownCall:
    """A call that ends in an error when evaluation reaches it."""

    name: str
    node: Call | Macro
    message: str
    hint: str


def unknown_calls(root: Node, libraries: tuple[str, ...]) -> tuple[UnknownCall, ...]:
    """The calls of functions that these libraries lack, in source order."""
    known_functions, macros = functions(libraries), missing_macros(libraries)
    calls = [
        _unknown_call(node, explain(node, known_functions))
        for node in walk(root)
        if (isinstance(node, Call) and _is_unknown(node, known_functions))
        or (isinstance(node, Macro) and node.name in macros)
    ]
    return tuple(sorted(calls, key=lambda call: call.node.at))


def _is_unknown(call: Call, known_functions: Mapping[str, LibraryFunction]) -> bool:
    if is_operator(call.function):
        return False
    name, args = resolve(call, known_functions)
    full_name = _full_name(call)
    is_foreign = full_name not in known_functions and bool(look_up(full_name).library)
    return bool(args) and (name not in known_functions or is_foreign)


def _full_name(call: Call) -> str:
    """`math.abs` of `math.abs(1)`; only the function's name if the target is not a name."""
    space = dotted_path(call.target).removeprefix(".") if call.target else ""
    return f"{space}.{call.function}" if space else call.function.removeprefix(".")


def _unknown_call(node: Call | Macro, unknown_function: UnknownFunction) -> UnknownCall:
    message = f"{unknown_function.reason}; it fails where it is called"
    return UnknownCall(unknown_function.name, node, message, unknown_function.hint)


def explain(call: Call | Macro, known_functions: Mapping[str, LibraryFunction]) -> UnknownFunction:
    """Why the controller does not know the function that `call` names."""
    if isinstance(call, Macro):
        reason = f"the controller has no macro `{call.name}`, which needs optional values"
        return UnknownFunction(call.name, reason, "")
    name = call.function.removeprefix(".")
    if name in MACROS:
        form = _MACRO_FORMS.get(name, f"`list.{name}(x, condition)`")
        return UnknownFunction(name, f"`{name}` is not called like this", f"write {form}")
    full_name = _full_name(call)
    # Functions of other dialects come first: a name that is right elsewhere is no misspelling.
    for spelling in (full_name, name):
        foreign = look_up(spelling)
        if foreign.library or foreign.instead:
            owner = f" (of {foreign.library})" if foreign.library else ""
            reason = f"the controller has no function `{spelling}`{owner}"
            return UnknownFunction(spelling, reason, foreign.instead)
    reason = f"the controller has no function `{name}`"
    return UnknownFunction(name, reason, _spelling_hint(full_name, name, known_functions))


def _spelling_hint(
    full_name: str, name: str, known_functions: Mapping[str, LibraryFunction]
) -> str:
    similar_name = closest_name(full_name, known_functions) or closest_name(
        name, [*known_functions, *MACROS]
    )
    return f"write `{similar_name}`" if similar_name else ""
