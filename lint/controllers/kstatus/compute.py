"""The verdict of kstatus: general checks, then the rule of the kind.

Mirrors `Compute` of `github.com/fluxcd/cli-utils/pkg/kstatus/status` (v1.2.3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial

from celvet.lint.controllers.kstatus import generic
from celvet.lint.controllers.kstatus.builtin import RULES
from celvet.lint.controllers.kstatus.pod import pod
from celvet.lint.controllers.kstatus.result import current_verdict
from celvet.lint.model import Value
from celvet.lint.values import group_kind_of
from celvet.lint.verdicts.unstructured import FieldTypeError
from celvet.lint.verdicts.verdict import Verdict


def compute(obj: Value, now: datetime | None = None) -> Verdict:
    """The verdict of kstatus on an object; `Unknown` with its error if it fails.

    `now` (with a time zone) matters only to a pod that cannot be scheduled: it is in progress for
    15 seconds after its creation; without `now`, it has failed. `reason` is that of the condition
    which kstatus would add to the object.
    """
    try:
        return next(verdict for verdict in _verdicts(obj, now) if verdict)
    except FieldTypeError as error:
        return Verdict(status="Unknown", error=str(error))


def _verdicts(obj: Value, now: datetime | None) -> Iterator[Verdict | None]:
    yield generic.deletion(obj)
    yield generic.generation(obj)
    yield generic.standard_conditions(obj)
    yield _rule(obj, now)(obj)
    yield current_verdict("Resource is current")


def _rule(obj: Value, now: datetime | None) -> Callable[[Value], Verdict | None]:
    kind = group_kind_of(obj)
    key = f"{kind.group}/{kind.kind}" if kind.group else kind.kind
    rule = RULES.get(key, generic.ready_condition)
    return partial(pod, now=now) if rule is pod else rule
