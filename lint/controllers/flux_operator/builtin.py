"""How Flux Operator evaluates the objects of its own kinds.

Read in `api/v1/common_types.go` and `internal/controller/resourceset_controller.go`
of flux-operator v0.59.0.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache

from celvet.lint.cel import compile_expression
from celvet.lint.checks import Check, Expression
from celvet.lint.controllers import kstatus
from celvet.lint.model import GroupKind, Value
from celvet.lint.values import group_kind_of
from celvet.lint.verdicts.flux_cel import evaluate
from celvet.lint.verdicts.verdict import Verdict
from celvet.lint.verdicts.wait_result import MISSING
from celvet.schemas.dialect import Dialect, Role

GROUP = "fluxcd.controlplane.io"
RESOURCE_SET = GroupKind(GROUP, "ResourceSet")
FLUX_INSTANCE = GroupKind(GROUP, "FluxInstance")

_READY = (
    "status.conditions.filter(c, c.type == 'Ready')"
    ".all(c, c.status == 'True' && c.observedGeneration == metadata.generation)"
)
"""The operator's own expression, as the messages of its errors show it.

It holds where there are conditions and none of them is `Ready`.
"""

_WAITED = frozenset(
    GroupKind(GROUP, kind) for kind in ("FluxInstance", "ResourceSet", "ResourceSetInputProvider")
)


@cache
def ready_check() -> Check:
    """The check of the operator's own kinds, which no object declares."""
    dialect = Dialect(
        "the operator's own",
        "cel",
        "the expression that Flux Operator has in its code",
        roles=(Role("current", "Current"),),
        otherwise="InProgress",
        observes=True,
    )
    expression = Expression((), "current", compile_expression(_READY, dialect))
    return Check((), {}, "", ("", ""), dialect, (expression,))


def read(obj: Value, now: datetime) -> Verdict:
    """The operator's verdict on an object that it waits for; None stands for a missing one."""
    if obj is None:
        return MISSING
    if group_kind_of(obj) not in _WAITED:
        return kstatus.read(obj, now)
    verdict = evaluate(ready_check(), obj)
    return Verdict(status=verdict.status, error=verdict.error)
