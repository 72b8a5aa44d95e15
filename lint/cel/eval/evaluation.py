"""Evaluates a tree on variables: plainly first, and with guards if that fails."""

from __future__ import annotations

from functools import lru_cache

from celvet.lint.cel.compat.lowering import CallSite, lower
from celvet.lint.cel.compat.messages import translate
from celvet.lint.cel.compat.precise_needed import error_is_certain
from celvet.lint.cel.engine import environment as engine
from celvet.lint.cel.engine.activation import Activation, Variables, bind
from celvet.lint.cel.engine.outcome import BEYOND, NUL, TOO_MANY_ITERATIONS, Outcome
from celvet.lint.cel.engine.proto import TooDeep
from celvet.lint.cel.eval.budget import check_budget, refusal
from celvet.lint.cel.syntax.tree import Node
from celvet.schemas.dialect import Dialect


def evaluate(root: Node, dialect: Dialect, variables: Variables) -> Outcome:
    """The outcome of the tree in cel-go; never raises; time and memory are bounded.

    See `celvet.lint.cel.eval.budget` for the bounds.
    """
    bound = bind(variables)
    admission = check_budget(root, dialect.libraries, bound)
    if admission.excess or not bound.readable:
        return refusal(admission.excess) if admission.excess else NUL
    try:
        view = bound.view(dialect.libraries, keep=admission.light)
        return Outcome(_program(root, CallSite.of(dialect), precise=False).run(view))
    except (TooDeep, RecursionError):
        return BEYOND
    except engine.TooManyIterations:
        return TOO_MANY_ITERATIONS
    except engine.Failed as error:
        if error_is_certain(root, dialect.libraries, bound.variables, str(error)):
            return Outcome(error=translate(str(error), root, dialect.libraries))
        return _precisely(root, dialect, bound, str(error))


def _precisely(root: Node, dialect: Dialect, bound: Activation, plain_error: str) -> Outcome:
    try:
        view = bound.precise_view(dialect.libraries)
        return Outcome(_program(root, CallSite.of(dialect), precise=True).run(view))
    except (TooDeep, RecursionError):
        return Outcome(error=translate(plain_error, root, dialect.libraries))
    except engine.TooManyIterations:
        return TOO_MANY_ITERATIONS
    except engine.Failed as error:
        return Outcome(error=translate(str(error), root, dialect.libraries))


@lru_cache(maxsize=1024)
def _program(root: Node, site: CallSite, *, precise: bool) -> engine.EngineProgram:
    return engine.load(lower(root, site, precise=precise), site.libraries)
