"""What another waiter makes of the states on a page, as a column beside the verdict."""

from __future__ import annotations

from datetime import datetime

from celvet.lint.explain.pages import Line, Page
from celvet.lint.waiters.forecast import Trouble, trouble_of
from celvet.lint.waiters.waiter import Waiter
from celvet.record import replace
from celvet.schemas.facts import LifeState

_WORDS: dict[Trouble, str] = {
    "fails early": "fails too early",
    "never ready": "waits for ever",
    "ready early": "ready too early",
    "failure unseen": "failure unseen",
}
_LEFT_OUT = "left out"


def with_waiter(page: Page, waiter: Waiter, now: datetime) -> Page:
    """A page with what the waiter says of each state; in the life, also what is wrong with it."""
    states = {state.name: state for state in page.facts.life} if page.facts else {}
    return replace(
        page,
        life=[_line(line, states.get(line.state), waiter, now) for line in page.life],
        lines=[_line(line, None, waiter, now) for line in page.lines],
        waiter=waiter.name,
    )


def _line(line: Line, state: LifeState | None, waiter: Waiter, now: datetime) -> Line:
    if not isinstance(line.object, dict):
        return replace(line, cells={**line.cells, waiter.name: ""})
    judgement = waiter.judge(line.object, now)
    text = judgement.status or (_LEFT_OUT if judgement.effect == "ready" else judgement.effect)
    trouble = trouble_of(state, judgement) if state else None
    if trouble:
        text = f"{text}: {_WORDS[trouble]}"
    return replace(line, cells={**line.cells, waiter.name: text})
