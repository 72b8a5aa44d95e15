"""Finds the kind that a text such as `Certificate.cert-manager.io` means."""

from __future__ import annotations

from collections.abc import Collection

from celvet.lint.model import GroupKind
from celvet.lint.similar import did_you_mean, similar
from celvet.regex import regex

_PLURAL = regex(r"ies(?=\.|\Z)")
"""As in `policies.kyverno.io`, the name of a CRD."""


class UnknownKindError(Exception):
    """No kind, or more than one, has the name; the message says what to write."""


def named(text: str, known: Collection[GroupKind]) -> GroupKind:
    """The kind of a name, `Kind.group` or `Kind` alone, ignoring case.

    Raises `UnknownKindError`.
    """
    name = text.lower()
    kinds = [kind for kind in known if str(kind).lower() == name]
    kinds = kinds or [kind for kind in known if kind.kind.lower() == name]
    if len(kinds) == 1:
        return kinds[0]
    if kinds:
        choices = ", ".join(f"`{kind}`" for kind in kinds)
        raise UnknownKindError(
            f"several kinds are called `{kinds[0].kind}`: write one of {choices}"
        )
    short, dot, group = _PLURAL.sub("y", text).partition(".")
    likely = [kind for kind in known if not group or similar(short, [kind.kind])]
    names = [*map(str, likely), *(kind.kind for kind in likely)]
    otherwise = "name one of its objects with --from-object, or its CRD with --crds"
    hint = did_you_mean(f"{short}{dot}{group}", names, otherwise)
    raise UnknownKindError(f"nothing is known about the kind `{text:.100}`; {hint}")


def spelt(text: str) -> GroupKind | None:
    """The kind in a text with a group; None for a text of another form."""
    kind, dot, group = text.partition(".")
    well_formed = kind.isalnum() and kind[:1].isupper() and group.replace("-", "").replace(".", "")
    return GroupKind(group, kind) if dot and well_formed and group == group.lower() else None
