"""The catalogue's expressions in the place of wrong ones, proved on the life of the kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from celvet.lint.model import Span
from celvet.lint.predict.faults.diagnosis import Diagnosis, Replacement, Rewrite
from celvet.lint.predict.faults.life import known, life_rows
from celvet.lint.predict.model import CheckModel
from celvet.lint.predict.truth_table import table
from celvet.schemas import KindFacts

_WAITING = ("InProgress", "Unknown")


def recommended(model: CheckModel, found: Diagnosis) -> Iterator[Rewrite]:
    """The recommended expression alone, then all of them; none for what may be meant."""
    facts = known(table(model))
    if facts is None or not facts.entry or found.doubtful:
        return
    for roles in ((found.role,), tuple(model.programs)):
        replacements = tuple(_replacements(model, facts, roles))
        gone = [each.role for each in replacements if not each.text]
        title = f"Remove `{gone[0]}`." if len(gone) == len(replacements) == 1 else ""
        yield Rewrite(title or f"Write what is recommended for a `{facts.kind}`.", replacements)


def _replacements(
    model: CheckModel, facts: KindFacts, roles: Iterable[str]
) -> Iterator[Replacement]:
    for role in roles:
        text = " ".join(facts.entry.get(role, "").split())
        yield Replacement(role, Span(0, len(model.programs[role].text)), text)


def right_along_life(before: CheckModel, after: CheckModel) -> bool:
    """Whether no state of the kind's life gets a wrong verdict that it did not have."""
    facts = known(table(before))
    if facts is None:
        return True
    rows = zip(life_rows(table(before), facts), life_rows(table(after), facts), strict=True)
    return all(
        state.until or now.verdict == was.verdict or _is_right(now.verdict, state.verdict)
        for (state, was), (_, now) in rows
    )


def _is_right(verdict: str, wanted: str) -> bool:
    return verdict == wanted or (verdict in _WAITING and wanted in _WAITING)
