"""What all waiters have in common: a name, what it mirrors, and its judgement of an object."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Literal, TypeAlias

from celvet.lint.model import Value
from celvet.record import record

Effect: TypeAlias = Literal["ready", "waits", "fails", "unknown"]
"""What a judgement does to the wait: the object is done, the wait goes on, or ends with an error;
`unknown` where it depends on what was not given, such as a health script."""


@record(kw_only=True)
class WaiterJudgement:
    """The answer of a waiter about one object, in its own words.

    `status` is the waiter's word, such as `InProgress` or `Degraded`; empty where the waiter leaves
    the object out. `error` is the text of an error that the waiter reports instead of a status.
    """

    status: str
    effect: Effect
    message: str = ""
    error: str = ""


@record(kw_only=True)
class Waiter:
    """A program that waits for objects.

    `judge(obj, now)` never raises, whatever the object holds; `now` has a time zone. `mirrors` is
    the program and the release whose code it follows, `absent` its judgement where the API server
    has no such object.
    """

    name: str
    mirrors: str
    judge: Callable[[Value, datetime], WaiterJudgement]
    absent: WaiterJudgement = WaiterJudgement(
        status="NotFound", effect="waits", message="Resource not found"
    )
