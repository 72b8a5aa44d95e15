"""The root for an object whose source is missing or has no artifact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.model import ObjectRef, Value
from celvet.lint.safe_text import one_line
from celvet.lint.values import get, mapping_at, text_at
from celvet.lint.why.live_waiter import LiveWaiter
from celvet.lint.why.names import title
from celvet.lint.why.outlook.life import error_rule
from celvet.lint.why.outlook.rules import OutlookRule
from celvet.lint.why.report import Root
from celvet.lint.why.roots.own import error_root, missing_root
from celvet.lint.why.snapshot import conditions_of, unequal_generations
from celvet.schemas.live.waiter import SourceField

_WIDTH = 600
_NO_ARTIFACT = "no artifact available"
"""What source-controller (v1.9.6, helmchart_controller.go) says of the source of a chart."""

_GONE = ("artifact not found", "artifact digest changed", "computed digest doesn't match")
"""What Flux says of an artifact that the source has, and its storage lacks or has another one.

The second is new in kustomize-controller v1.10, the last of `ArchiveFetcher` of fluxcd/pkg.
"""


def source_of(waiter: LiveWaiter) -> ObjectRef | None:
    """The source that an object names; None if it names none."""
    return next(
        (reference for field in waiter.kind.sources if (reference := _named(waiter, field))), None
    )


def source_references(waiter: LiveWaiter) -> Iterator[ObjectRef]:
    """Every source that an object names, and those from which its controller makes one."""
    for field in waiter.kind.sources:
        for place in (field, SourceField(field.group, path=field.through)):
            if reference := _named(waiter, place):
                yield reference


def revision_of(waiter: LiveWaiter) -> str:
    """The revision of the artifact that the source has now; empty if that is not known."""
    reference = source_of(waiter)
    source = waiter.snapshot.find(reference) if reference else None
    return text_at(source, ("status", "artifact", "revision"))


def source_roots(waiter: LiveWaiter) -> Iterator[Root]:
    """The source that holds up an object; none if the source is in order by now."""
    reference = source_of(waiter)
    if reference is None or "Stalled" in waiter.conditions:
        yield error_root(waiter, "source")
        return
    source = waiter.snapshot.find(reference)
    if source is None:
        if waiter.snapshot.covers(reference.group_kind) or "not found" in waiter.message:
            yield missing_root(waiter, reference, applied=False)
        return
    # From the farthest back to the nearest: what a source lacks is often the fault of its own
    # source.
    origin = _origin(waiter, source)
    if origin is not None:
        yield origin
    elif _lacks_artifact(source):
        yield _source_root(reference, source)
    elif _is_gone(waiter.message):
        yield _lost_artifact(reference, source)
    # Now the source is there and ready, so words of its absence are old ones.
    elif "not found" not in waiter.message and "is not ready" not in waiter.message:
        yield Root(
            reference,
            "source",
            f"{title(reference)}: {one_line(waiter.message, _WIDTH)}",
            error_rule(waiter.message),
            observed=dict(_fields(source)),
        )


def _is_gone(message: str) -> bool:
    return any(words in message for words in _GONE) and not message.startswith("Source artifact")


def _named(waiter: LiveWaiter, field: SourceField) -> ObjectRef | None:
    api_version = f"{field.group}/v1"
    if field.name:
        namespace, _, name = text_at(waiter.value, field.name).partition("/")
        return ObjectRef(api_version, field.kind, namespace, name) if name else None
    reference = mapping_at(waiter.value, field.path)
    kind, name, namespace = (text_at(reference, (key,)) for key in ("kind", "name", "namespace"))
    return (
        ObjectRef(api_version, kind, namespace or waiter.reference.namespace, name)
        if name
        else None
    )


def _origin(waiter: LiveWaiter, source: Mapping[str, Value]) -> Root | None:
    """The source of a source that its controller has made, if that one is in disorder."""
    maker = next(
        (
            field
            for field in waiter.kind.sources
            if field.through and field.kind == source.get("kind")
        ),
        None,
    )
    if maker is None or not _lacks_artifact(source):
        return None
    reference = _named(waiter, SourceField(maker.group, path=maker.through))
    if reference is None:
        return None
    origin = waiter.snapshot.find(reference)
    condition = conditions_of(source).get("Ready")
    words = condition.message if condition else ""
    if origin is None:
        is_named = "not found" in words and reference.name in words
        return missing_root(waiter, reference, applied=False) if is_named else None
    # One that leads to an OCI registry never has an artifact, and no conditions.
    failing = "Ready" in conditions_of(origin) or _NO_ARTIFACT in words
    return _source_root(reference, origin) if failing and _lacks_artifact(origin) else None


def _lacks_artifact(source: Mapping[str, Value]) -> bool:
    is_outdated = unequal_generations(source) is not None
    return _is_stalled(source) or is_outdated or not mapping_at(source, ("status", "artifact"))


def _is_stalled(source: Mapping[str, Value]) -> bool:
    condition = conditions_of(source).get("Stalled")
    return condition is not None and condition.status == "True"


def _source_root(reference: ObjectRef, source: Mapping[str, Value]) -> Root:
    observed = dict(_fields(source))
    if get(source, ("spec", "suspend")) is True:
        message = f"{title(reference)} is suspended and has no artifact"
        return Root(
            reference,
            "suspended",
            message,
            OutlookRule.SUSPENDED,
            field="spec.suspend",
            observed={"spec.suspend": True, **observed},
        )
    ready = conditions_of(source).get("Ready")
    failing = ready is not None and ready.status == "False"
    if _is_stalled(source):
        rule = OutlookRule.STALLED
    else:
        rule = error_rule(ready.message) if ready and failing else OutlookRule.PASSING_STATE
    words = one_line(ready.message, _WIDTH) if ready else "it has no artifact yet"
    return Root(reference, "source", f"{title(reference)}: {words}", rule, observed=observed)


def _lost_artifact(reference: ObjectRef, source: Mapping[str, Value]) -> Root:
    """source-controller builds an artifact again that its storage lacks, at its next interval.

    Before that it removes one whose digest is not in the status (reconcileStorage, v1.9.6).
    """
    message = f"{title(reference)}: the storage of source-controller does not have its artifact"
    url = text_at(source, ("status", "artifact", "url"))
    observed = {"status.artifact.url": url, **dict(_fields(source))}
    return Root(reference, "source", message, OutlookRule.PASSING_STATE, observed=observed)


def _fields(source: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    for name, condition in conditions_of(source).items():
        yield f"status.conditions[type={name}].status", condition.status
        yield f"status.conditions[type={name}].reason", condition.reason
    artifact = mapping_at(source, ("status", "artifact"))
    yield (
        ("status.artifact.revision", artifact.get("revision"))
        if artifact
        else ("status.artifact", None)
    )
