"""Kinds that no cluster has, such as a Deployment of the core group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from celvet.lint.checks.checked_object import CheckedObject
from celvet.lint.model import GroupKind, Value
from celvet.lint.similar import closest_name
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
    group_kind = group_kind_of(reference)
    if "${" in version + kind or "<<" in version + kind:
        return None
    if kind_facts(group_kind.group, kind, checked.directories) or checked.schema_of(version, kind):
        return None
    # `apiVersion: cert-manager.io`: without a slash it is a version of the core group.
    if "." in version and "/" not in version:
        help_ = f"Write `{version}/v1`, or any other version."
        return AbsentKind(
            "apiVersion", f"`{version}` lacks a version, so it means the core group", help_
        )
    if kind[:1].islower() and not looked_up:
        reason = f"`{kind}` is not a kind, since kinds begin with a capital letter"
        return AbsentKind(
            "kind", reason, f"Write `{_capitalise(group_kind, checked.directories)}`."
        )
    if _NO_TEMPLATE.fullmatch(kind) and (letters := "".join(_NAME.findall(kind))) != kind:
        reason = f"`{kind}` is not a kind, since kinds have only letters and digits"
        return AbsentKind("kind", reason, f"Write `{letters}`." if letters else "Write the kind.")
    return _not_built_in(reference, group_kind)


def _capitalise(group_kind: GroupKind, directories: Sequence[Path]) -> str:
    """A kind in lower case as it is written: `ConfigMap` for `configmap`."""
    catalog_kinds = (kind for group, kind in known_kinds(directories) if group == group_kind.group)
    known_names = (*built_in_kinds_of(group_kind.group), *catalog_kinds)
    alike = (kind for kind in known_names if kind.lower() == group_kind.kind.lower())
    return next(alike, group_kind.kind[0].upper() + group_kind.kind[1:])


def _not_built_in(reference: Mapping[str, Value], group_kind: GroupKind) -> AbsentKind | None:
    """A kind that a group of Kubernetes itself does not have.

    Of groups other than the core group only a misspelt one is certain: older releases of Kubernetes
    have kinds that were dropped since.
    """
    kind = group_kind.kind
    if not kind or "apiVersion" not in reference or is_built_in(group_kind.group, kind):
        return None
    suggestion = closest_name(kind, built_in_kinds_of(group_kind.group), _ALIKE)
    if group_kind.group and suggestion:
        reason = f"`{group_kind.group}` has no kind `{kind}`"
        return AbsentKind("kind", reason, f"Write `{suggestion}`.")
    if group_kind.group:
        return None
    version = text_at(reference, ("apiVersion",))
    version_text = f"`{version}`" if version else "an empty `apiVersion`"
    help_ = f"Write `{suggestion}`." if suggestion else "Write the group and version of the kind."
    return AbsentKind(
        "kind" if suggestion else "apiVersion",
        f"{version_text} is the core group, which has no kind `{kind}`",
        help_,
    )
