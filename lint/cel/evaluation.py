"""Evaluates a tree on variables, plainly first, and precisely where that fails."""

from __future__ import annotations

from functools import lru_cache

from lint.cel import engine
from lint.cel.allowance import admit, refusal
from lint.cel.binding import Bound, Variables, bind
from lint.cel.foregone import foregone
from lint.cel.lowering import lower
from lint.cel.messages import translate
from lint.cel.outcome import BEYOND, ENDLESS, Outcome
from lint.cel.tree import Node
from lint.cel.wire import TooDeep
from schemas.dialect import Dialect


def evaluate(root: Node, dialect: Dialect, variables: Variables) -> Outcome:
    """What cel-go gives for the tree; never raises, and takes a bounded time and memory.

    See `lint.cel.allowance` for the bounds.
    """
    bound = bind(variables)
    admission = admit(root, dialect.libraries, bound)
    if admission.excess:
        return refusal(admission.excess)
    try:
        view = bound.view(dialect.libraries, keep=admission.light)
        return Outcome(_program(root, dialect.libraries, dialect.checked, precise=False).run(view))
    except (TooDeep, RecursionError):
        return BEYOND
    except engine.Endless:
        return ENDLESS
    except engine.Failed as error:
        if foregone(root, dialect.libraries, bound.variables, str(error)):
            return Outcome(error=translate(str(error), root))
        return _precisely(root, dialect, bound, str(error))


def _precisely(root: Node, dialect: Dialect, bound: Bound, plain_error: str) -> Outcome:
    try:
        view = bound.precise_view(dialect.libraries)
        return Outcome(_program(root, dialect.libraries, dialect.checked, precise=True).run(view))
    except (TooDeep, RecursionError):
        return Outcome(error=translate(plain_error, root))
    except engine.Endless:
        return ENDLESS
    except engine.Failed as error:
        return Outcome(error=translate(str(error), root))


@lru_cache(maxsize=1024)
def _program(
    root: Node, libraries: tuple[str, ...], checked: bool, *, precise: bool
) -> engine.Program:
    return engine.load(lower(root, libraries, checked=checked, precise=precise), libraries)
