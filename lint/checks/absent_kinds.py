"""Kinds that no cluster has, such as a Deployment of the core group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from celvet.lint.checks.checked_object import CheckedObject
from celvet.lint.model import GroupKind, Value
from celvet.lint.similar import similar
from celvet.lint.values import group_kind_of, text_at
from celvet.record import record
from celvet.regex import regex
from celvet.schemas import kind_facts
from celvet.schemas.kind_files import built_in_kinds_of, is_built_in
from celvet.schemas.known_kinds import known_kinds

_NAME = regex(r"[A-Za-z0-9-]+")
_NO_TEMPLATE = regex(r"[A-Za-z0-9 _./-]+")
_ALIKE = 0.85
"""`VerticalPodAutoscaler` is no misspelt `HorizontalPodAutoscaler`."""


@record
class AbsentKind:
    """The wrong field of a reference, why no object is of the kind, and what to write."""

    field: str
    reason: str
    help: str


def absent_kind(
    checked: CheckedObject, reference: Mapping[str, Value], *, looked_up: bool
) -> AbsentKind | None:
    """What is wrong with the `apiVersion` and `kind` of a reference, None if a cluster may have it.

    A kind in lower case is found if it is `looked_up` (see `is_built_in`), but not if it is
    compared with the kinds of objects. A kind with a CRD or a file in the catalogue may have an
    unusual name: Zalando's `postgresql` has no capital letter.
    """
    version, kind = (text_at(reference, (key,)) for key in ("apiVersion", "kind"))
    named = group_kind_of(reference)
    if "${" in version + kind or "<<" in version + kind:
        return None
    if kind_facts(named.group, kind, checked.directories) or checked.schema_of(version, kind):
        return None
    if "." in version and "/" not in version:
        taken = f"so {checked.controller} takes it for a version of the core group"
        help_ = f"Write `{version}/v1`, or any other version."
        return AbsentKind("apiVersion", f"`{version}` has no version, {taken}", help_)
    if kind[:1].islower() and not looked_up:
        reason = f"`{kind}` is not a kind, since kinds begin with a capital letter"
        return AbsentKind("kind", reason, f"Write `{_capitalised(named, checked.directories)}`.")
    if _NO_TEMPLATE.fullmatch(kind) and (meant := "".join(_NAME.findall(kind))) != kind:
        reason = f"`{kind}` is not a kind, since kinds have only letters and digits"
        return AbsentKind("kind", reason, f"Write `{meant}`." if meant else "Write the kind.")
    return _not_built_in(reference, named)


def _capitalised(named: GroupKind, directories: Sequence[Path]) -> str:
    """A kind in lower case as it is written: `ConfigMap` for `configmap`."""
    described = (kind for group, kind in known_kinds(directories) if group == named.group)
    known = (*built_in_kinds_of(named.group), *described)
    alike = (kind for kind in known if kind.lower() == named.kind.lower())
    return next(alike, named.kind[0].upper() + named.kind[1:])


def _not_built_in(reference: Mapping[str, Value], named: GroupKind) -> AbsentKind | None:
    """A kind that a group of Kubernetes itself does not have.

    Of groups other than the core group only a misspelt one is certain: older releases of Kubernetes
    have kinds that were dropped since.
    """
    kind = named.kind
    if not kind or "apiVersion" not in reference or is_built_in(named.group, kind):
        return None
    meant = similar(kind, built_in_kinds_of(named.group), _ALIKE)
    if named.group and meant:
        reason = f"`{named.group}` has no kind `{kind}`"
        return AbsentKind("kind", reason, f"Write `{meant}`.")
    if named.group:
        return None
    version = text_at(reference, ("apiVersion",))
    shown = f"`{version}`" if version else "an empty `apiVersion`"
    help_ = f"Write `{meant}`." if meant else "Write the group and version of the kind."
    return AbsentKind(
        "kind" if meant else "apiVersion",
        f"{shown} is the core group, which has no kind `{kind}`",
        help_,
    )
