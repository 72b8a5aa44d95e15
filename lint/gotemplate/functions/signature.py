"""Parameters and results of the functions of a template."""

from __future__ import annotations

from collections.abc import Callable

from celvet.lint.gotemplate.template_values import ANY, ANY_MAP, Value
from celvet.record import record

REFLECT = "reflect.Value"

_FAST = 64
SLOW = 8
"""The pace of a function that looks at each character."""

_ALIASES = {
    "any": ANY,
    "map": ANY_MAP,
    "value": REFLECT,
    "float": "float64",
    "time": "time.Time",
    "nothing": "",
}


@record
class Function:
    """A function that a template may call.

    Attributes:
        params: the Go type of each parameter; of a variadic last one, the type of each.
        variadic: whether the last parameter takes any number of arguments.
        result: the Go type of the result.
        call: gives the result, or raises `CallError` for Go's error or panic. Arguments are
            values (see `values`), in a `Boxed` only for a parameter of type reflect.Value.
        metered: whether `call` gets the `Meter` as its first argument.
        special: `and` and `or`, which evaluate no more arguments than they need, and `call`, which
            gets the text of its first argument as well.
        pace: how many characters of its arguments count as one step.
    """

    params: tuple[str, ...]
    variadic: bool
    result: str
    call: Callable[..., Value]
    metered: bool = False
    special: str = ""
    pace: int = _FAST


def function(
    signature: str,
    call: Callable[..., Value],
    *,
    metered: bool = False,
    special: str = "",
    pace: int = _FAST,
) -> Function:
    """A function of `signature`, as in ``string ...any -> bool``."""
    params, _, result = signature.partition("->")
    names = params.split()
    types = tuple(_ALIASES.get(name.lstrip("."), name.lstrip(".")) for name in names)
    variadic = bool(names) and names[-1].startswith("...")
    gives = result.strip()
    return Function(types, variadic, _ALIASES.get(gives, gives), call, metered, special, pace)
