"""Finds the kind that a text such as `Certificate.cert-manager.io` means."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from celvet.lint.controllers.flux_operator.reference import guessed_plural
from celvet.lint.model import GroupKind
from celvet.lint.similar import closest_name, did_you_mean
from celvet.regex import regex
from celvet.schemas import kind_facts
from celvet.schemas.known_kinds import likely_kinds, named_kinds
from celvet.wrong_input import WrongInputError

_PLURAL = regex(r"ies(?=\.|\Z)")
"""As in `policies.kyverno.io`, the name of a CRD."""


class UnknownKindError(WrongInputError):
    """No kind, or more than one, has the name; the message says what to write."""


def catalog_kind(
    text: str, directories: Sequence[Path], others: Collection[tuple[str, str]] = ()
) -> GroupKind:
    """The kind of the catalogue, or of `others`, that a text means; raises `UnknownKindError`.

    A kind that a family has by a pattern is told only by its name with the group.
    """
    kinds = dict.fromkeys((*named_kinds(directories), *others))
    members = [GroupKind(*names) for names in likely_kinds(text, directories)]
    try:
        return _find_kind(text, [GroupKind(*names) for names in kinds], likely=members)
    except UnknownKindError:
        kind = parse_kind(text)
        if kind and kind_facts(kind.group, kind.kind, directories):
            return kind
        raise


def _find_kind(
    text: str, kinds: Collection[GroupKind], likely: Collection[GroupKind] = ()
) -> GroupKind:
    """The kind of a name, `Kind.group`, `plurals.group` or `Kind` alone, ignoring case.

    Raises `UnknownKindError`, whose message proposes the `likely` kinds, if there are any.
    """
    name = text.lower()
    matches = [kind for kind in kinds if str(kind).lower() == name]
    matches = matches or [kind for kind in kinds if kind.kind.lower() == name]
    matches = matches or [kind for kind in kinds if name in _plurals(kind)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise UnknownKindError(
            f"several kinds are called `{matches[0].kind}`: write one of {_quoted(matches)}"
        )
    unknown = f"nothing is known about the kind `{text:.100}`"
    if likely:
        raise UnknownKindError(f"{unknown} without its group; write {_quoted(likely)}")
    # With a group, only a kind of a similar name is worth proposing.
    short, dot, group = _PLURAL.sub("y", text).partition(".")
    likely_kinds = [kind for kind in kinds if not group or closest_name(short, [kind.kind])]
    names = [*map(str, likely_kinds), *(kind.kind for kind in likely_kinds)]
    otherwise = "name one of its objects with --from-object, or its CRD with --crds"
    hint = did_you_mean(f"{short}{dot}{group}", names, otherwise)
    raise UnknownKindError(f"{unknown}; {hint}")


def _quoted(kinds: Collection[GroupKind]) -> str:
    return ", ".join(f"`{kind}`" for kind in kinds)


def _plurals(kind: GroupKind) -> set[str]:
    """What `kubectl api-resources` may call a kind, with and without its group."""
    plural = guessed_plural(kind.kind)
    return {plural, f"{plural}.{kind.group}".removesuffix(".")}


def parse_kind(text: str) -> GroupKind | None:
    """The kind in a text with a group; None for a text of another form."""
    kind, dot, group = text.partition(".")
    well_formed = kind.isalnum() and kind[:1].isupper() and group.replace("-", "").replace(".", "")
    return GroupKind(group, kind) if dot and well_formed and group == group.lower() else None
