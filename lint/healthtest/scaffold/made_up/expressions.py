"""The stock states of an object, from what CEL expressions read of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.cel import Compiled
from celvet.lint.controllers.judge import Judge
from celvet.lint.healthtest.scaffold.made_up.situation import MadeUp
from celvet.lint.model import GroupKind, Value
from celvet.lint.predict import subject, table


def states(judge: Judge, _: Value) -> Iterator[MadeUp]:
    """All states that the expressions of a judge may tell apart."""
    programs = {
        each.role: each.compiled for each in judge.programs if isinstance(each.compiled, Compiled)
    }
    texts: Mapping[str, Value] = dict.fromkeys(programs)
    found = subject(texts, programs, judge.group_kind or GroupKind("", ""))
    known = table(found) if found else None
    for row in (*known.rows, *known.witnesses()) if known else ():
        state = row.state
        name = f"an object {state.description}"
        yield MadeUp(name, (state.object,), dependency="dep" in state.variables)
