"""The times that objects mention."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from celvet.lint.model import Value
from celvet.lint.verdicts.unstructured import timestamp

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def latest(objects: Iterable[Value]) -> datetime:
    """The latest time that the objects mention, since they cannot be older.

    Without any, it is the first of January 2000, so that a test gives the same result every day.
    """
    return max(_instants(list(objects)), default=_EPOCH)


def _instants(stack: list[Value]) -> Iterator[datetime]:
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            stack += value.values()
        elif isinstance(value, list):
            stack += value
        elif isinstance(value, str) and (instant := timestamp(value)):
            yield instant
