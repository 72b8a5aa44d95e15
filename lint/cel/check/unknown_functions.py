"""Explains a function that the controller does not have.

Where an expression is type-checked, or calls it without any argument, the
controller refuses it; where it is only parsed, evaluation ends in an error as
soon as the call is reached.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from celvet.lint.cel.syntax.foreign_functions import look_up
from celvet.lint.cel.syntax.tree import MACROS, Call, qualified, walk
from celvet.lint.cel.syntax.vocabulary import Function, functions, is_operator, resolve
from celvet.lint.similar import similar

if TYPE_CHECKING:
    from celvet.lint.cel.compilation import Compiled

_MACRO_FORMS = {
    "has": "`has(x.field)`",
    "map": "`list.map(x, value)` or `list.map(x, condition, value)`",
    "optMap": "`optional.optMap(x, value)`",
    "optFlatMap": "`optional.optFlatMap(x, value)`",
}


class Explanation(NamedTuple):
    """The name called, what is wrong with it, and what to do, which may be empty."""

    name: str
    reason: str
    hint: str


class UnknownCall(NamedTuple):
    """A call that ends in an error where evaluation reaches it."""

    name: str
    node: Call
    message: str
    hint: str


def unknown_calls(compiled: Compiled) -> tuple[UnknownCall, ...]:
    """The calls that only a type checker would have refused, in source order.

    A dialect that is type-checked has none: they are among the refusals there.
    """
    if compiled.tree is None or compiled.dialect.checked:
        return ()
    known = functions(compiled.dialect.libraries)
    calls = (node for node in walk(compiled.tree) if isinstance(node, Call))
    found = [_unknown(call, known) for call in calls if _is_unknown(call, known)]
    return tuple(sorted(found, key=lambda call: call.node.at))


def _is_unknown(call: Call, known: Mapping[str, Function]) -> bool:
    if is_operator(call.function):
        return False
    name, args = resolve(call, known)
    return bool(args) and (name not in known or bool(look_up(_full_name(call)).library))


def _full_name(call: Call) -> str:
    """`math.abs` of `math.abs(1)`, and the bare name where the target is no name."""
    space = qualified(call.target).removeprefix(".") if call.target else ""
    return f"{space}.{call.function}" if space else call.function.removeprefix(".")


def _unknown(call: Call, known: Mapping[str, Function]) -> UnknownCall:
    name, reason, hint = explain(call, known)
    return UnknownCall(name, call, f"{reason}, and evaluation fails where it is called", hint)


def explain(call: Call, known: Mapping[str, Function]) -> Explanation:
    """Why the controller knows nothing of the function that `call` names."""
    name = call.function.removeprefix(".")
    if name in MACROS:
        form = _MACRO_FORMS.get(name, f"`list.{name}(x, condition)`")
        return Explanation(name, f"`{name}` is not called like this", f"write {form}")
    full = _full_name(call)
    for spelling in (full, name):
        found = look_up(spelling)
        if found.library or found.instead:
            owner = f"; it belongs to {found.library}" if found.library else ""
            reason = f"the controller has no function `{spelling}`{owner}"
            return Explanation(spelling, reason, found.instead)
    reason = f"the controller has no function `{name}`"
    return Explanation(name, reason, _closest(full, name, known))


def _closest(full: str, name: str, known: Mapping[str, Function]) -> str:
    close = similar(full, known) or similar(name, [*known, *MACROS])
    return f"write `{close}`" if close else ""
