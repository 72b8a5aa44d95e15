"""The names of objects in reports, and the part of a report that a user has named."""

from __future__ import annotations

from collections.abc import Sequence

from celvet.lint.model import ObjectRef
from celvet.lint.similar import did_you_mean
from celvet.lint.why.report import WaiterReport, WhyReport
from celvet.record import replace
from celvet.schemas.live.waiter import waiters


class UnknownWaiterError(Exception):
    """A name that no object has; the message says which are there."""


def title(reference: ObjectRef) -> str:
    """`Kind/namespace/name`, as Flux names an object."""
    return "/".join(filter(None, (reference.kind, reference.namespace, reference.name)))


def select(report: WhyReport, names: Sequence[str], namespace: str) -> WhyReport:
    """Only the waiters of the names and the namespace, if there are any, and their roots."""
    chosen = [waiter for waiter in report.waiters if namespace in ("", waiter.object.namespace)]
    if names:
        wanted = [_wanted(name, chosen) for name in names]
        chosen = [waiter for waiter in chosen if any(waiter in several for several in wanted)]
    places = sorted({place for waiter in chosen for place in waiter.roots})
    indices = {place: index for index, place in enumerate(places)}
    return replace(
        report,
        waiters=[
            replace(waiter, roots=tuple(indices[place] for place in waiter.roots))
            for waiter in chosen
        ],
        roots=[report.roots[place] for place in places],
    )


def _wanted(text: str, among: Sequence[WaiterReport]) -> list[WaiterReport]:
    kind, separator, name = text.partition("/")
    if not (separator and name):
        raise UnknownWaiterError(f"write `KIND/NAME` instead of `{text}`")
    spellings = waiting_kind(kind)
    matches = [
        waiter for waiter in among if waiter.object.kind in spellings and waiter.object.name == name
    ]
    if not matches:
        titles = [title(waiter.object) for waiter in among]
        raise UnknownWaiterError(f"there is no `{text}` that waits; {did_you_mean(text, titles)}")
    return matches


def waiting_kind(text: str) -> set[str]:
    """The kinds that a word means: the kind, its plural, or its short name."""
    lower = text.lower().partition(".")[0]
    return {
        waiter.kind
        for waiter in waiters().values()
        if lower in (waiter.kind.lower(), waiter.plural, *waiter.short)
    }
