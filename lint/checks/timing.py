"""How often the controller of a declaration checks objects, when it gives up, and when it retries.

Mirrors `GetTimeout` and `GetRetryInterval` of kustomize-controller v1.9.4
(`api/v1/kustomization_types.go`), by the terms of the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import lru_cache
from typing import NamedTuple

from celvet.lint.go.durations import duration
from celvet.lint.model import Value
from celvet.lint.values import text_at
from celvet.record import record
from celvet.schemas import Kind


@record
class Timing:
    """The times of one declaration; None for a time that it does not set.

    `retry` is the time after which a failed reconciliation is tried again; after zero it is not,
    until something changes. `instead_of` is the missing field that would set it, or empty.
    """

    look: timedelta | None = None
    timeout: timedelta | None = None
    retry: timedelta | None = None
    instead_of: str = ""

    @property
    def retry_text(self) -> str:
        """When the controller retries after a failure, as in `after 5m`, or empty."""
        if self.retry is None:
            return ""
        lack = f" (no `{self.instead_of}`)" if self.instead_of else ""
        when = f"after {short(self.retry)}" if self.retry else "only after a change"
        return f"{when}{lack}"

    @property
    def timeout_text(self) -> str:
        """How long the controller waits, as in `the timeout of 5m`, or empty."""
        return "" if self.timeout is None else f" of {short(self.timeout)}"

    @property
    def sentence(self) -> str:
        """All times as a sentence, or empty."""
        if self.look is None or self.timeout is None:
            return ""
        looks = f"at once and then every {short(self.look)}, for {short(self.timeout)} at most"
        retry_text = (
            f"; a failed reconciliation is retried {self.retry_text}" if self.retry_text else ""
        )
        return f"The controller checks {looks}{retry_text}."


def timing(value: Mapping[str, Value], kind: Kind | None) -> Timing:
    """The times of a declaration of a kind."""
    terms = kind.clock if kind else {}
    if not terms:
        return Timing()
    wait = next(_times(value, terms.get("timeout", ())), ("", None))[1]
    least = _term(terms["least"][0]).constant if "least" in terms else None
    retries = terms.get("retry", ())
    field, retry = next(_times(value, retries), ("", None))
    instead = "" if not retries or field == retries[0] else retries[0].rpartition(".")[2]
    timeout = max(wait, least) if wait is not None and least is not None else wait
    return Timing(_term(terms["look"][0]).constant, timeout, retry, instead)


class _Term(NamedTuple):
    """A term of the catalogue: a field, or a constant, less some time."""

    path: str
    steps: tuple[str, ...]
    constant: timedelta | None
    less: timedelta


@lru_cache(maxsize=64)  # the few terms are a tenth of what linting a Kustomization takes
def _term(text: str) -> _Term:
    path, _, less = text.partition(" - ")
    return _Term(path, tuple(path.split(".")), duration(path), duration(less) or timedelta())


def _times(value: Value, terms: tuple[str, ...]) -> Iterator[tuple[str, timedelta]]:
    """Each term that has a time: `PATH`, `PATH - DURATION` or `DURATION`."""
    for term in map(_term, terms):
        time = term.constant
        if time is None:
            time = duration(text_at(value, term.steps))
        if time is not None:
            yield term.path, time - term.less


def short(span: timedelta) -> str:
    """A duration in the usual notation: `1h`, `59m30s`."""
    minutes, seconds = divmod(span.total_seconds(), 60)
    hours, minutes = divmod(int(minutes), 60)
    parts = ((hours, "h"), (minutes, "m"), (seconds, "s"))
    return "".join(f"{count:g}{unit}" for count, unit in parts if count) or "0s"
