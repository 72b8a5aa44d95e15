"""One health check of an extension: its result, given or computed from an object.

Mirrors `extensions/pkg/controller/healthcheck/general` of Gardener (v1.149).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from celvet.lint.controllers.gardener.health import problem
from celvet.lint.go.quoting import quote
from celvet.lint.model import Value
from celvet.lint.verdicts.unstructured import FieldTypeError, optional_text
from celvet.record import record

_WORDS = {
    "Deployment": ("deployment", "deployment"),
    "StatefulSet": ("StatefulSet", "statefulSet"),
    "DaemonSet": ("DaemonSet", "daemonSet"),
    "ManagedResource": ("Managed Resource", "managed resource"),
}
"""Kind -> how the message of its check begins if the object is missing, and if it is unhealthy."""


@record(kw_only=True)
class CheckResult:
    """The result of one check.

    `status` is `True`, `False` or `Progressing`; `threshold` is how long `Progressing` may last
    before it counts as False. With `error`, the check could not be made, and the rest means
    nothing.
    """

    status: str = ""
    detail: str = ""
    threshold: timedelta | None = None
    error: str = ""


def check_named(kind: str, namespace: str, name: str, objects: Iterable[Value]) -> CheckResult:
    """The ready-made check of one Deployment, StatefulSet, DaemonSet or ManagedResource."""
    missing, unhealthy = _WORDS.get(kind, (kind, kind))
    place = f"{quote(name)} in namespace {quote(namespace)}"
    try:
        obj = next((obj for obj in objects if _key(obj) == (kind, namespace, name)), None)
        if obj is None:
            return CheckResult(status="False", detail=f"{missing} {place} not found")
        message = problem(obj)
    except FieldTypeError as error:
        return CheckResult(error=str(error))
    if message is None:
        return CheckResult(status="True")
    return CheckResult(status="False", detail=f"{unhealthy} {place} is unhealthy: {message}")


def _key(obj: Value) -> tuple[str, str, str]:
    metadata = ("namespace", "name")
    namespace, name = (optional_text(obj, "metadata", key) for key in metadata)
    return optional_text(obj, "kind"), namespace, name
