"""Families: a file of `kinds/families/` describes every kind of some groups.

Or every kind that an object of one kind defines, such as the composite resources of an XRD. The
file of a kind itself always takes precedence.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from celvet.schemas.facts_reader.read import read_kind
from celvet.schemas.kind_files import FAMILIES, OURS

_INDEX = OURS / f"{FAMILIES}.yaml"
"""The members of our families by name; only `kind_files.READ` has it."""


def family_file(group: str, kind: str, directories: Sequence[Path]) -> Path | None:
    """The file of the first family with a kind, in one of several `kinds/`."""
    families = (family for directory in directories for family in _families(directory).items())
    return next((file for file, members in families if _has(members, group, kind)), None)


def file_of_defined(definer: str, directories: Sequence[Path]) -> Path | None:
    """The file about the kinds that objects of the kind `definer` define."""
    families = (family for directory in directories for family in _families(directory).items())
    return next((file for file, members in families if members.get("definedBy") == definer), None)


def family_examples(directories: Sequence[Path]) -> Iterator[tuple[Path, str, str]]:
    """The file of each family, with the group and kind of one of its members."""
    for directory in directories:
        for file, members in _families(directory).items():
            kind, _, group = members["example"].partition(".")
            yield file, group, kind


def named_members(directories: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """The group and kind of each member that its family names in full, and not by a pattern."""
    for directory in directories:
        for members in _families(directory).values():
            kind, _, group = members["example"].partition(".")
            groups = _without_patterns(members.get("groups", ()))
            yield from product(groups, _without_patterns(members.get("kinds", ())))
            if group in groups:
                yield group, kind


def members_called(kind: str, directories: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """The group and kind of each member with this name, where a family has a pattern for kinds.

    A pattern fits names that no project has, so they are only worth a proposal.
    """
    for directory in directories:
        for members in _families(directory).values():
            groups = _without_patterns(members.get("groups", ())) if "kinds" in members else ()
            yield from ((group, kind) for group in groups if _has(members, group, kind))


def member_content(content: Mapping[str, Any], group: str, kind: str) -> dict[str, Any]:
    """The content of a file about one kind of a family, from the file of the family."""
    has_namespace = _any_matches(content["members"].get("namespaced", ()), group)
    crd = {**content["crd"], **({"scope": "Namespaced"} if has_namespace else {})}
    return {**content, "group": group, "kind": kind, "crd": crd}


@functools.lru_cache(maxsize=16)
def _families(directory: Path) -> Mapping[Path, Mapping[str, Any]]:
    """The files of the families in a `kinds/`, each with its `members`."""
    if directory == OURS:
        return {OURS / FAMILIES / name: members for name, members in read_kind(_INDEX).items()}
    files = sorted((directory / FAMILIES).glob("*.yaml"))
    return {file: read_kind(file)["members"] for file in files}


def _has(members: Mapping[str, Any], group: str, kind: str) -> bool:
    """Whether a kind is a member; a name without a capital letter is that of no such kind."""
    if "groups" not in members or not kind[:1].isupper():
        return False
    return _covers(members, group, kind) and not any(
        _covers(exception, group, kind) for exception in members.get("except", ())
    )


def _covers(patterns: Mapping[str, Any], group: str, kind: str) -> bool:
    return _any_matches(patterns.get("groups"), group) and _any_matches(patterns.get("kinds"), kind)


def _any_matches(patterns: Collection[str] | None, name: str) -> bool:
    return patterns is None or any(_matches(pattern, name) for pattern in patterns)


def _without_patterns(names: Collection[str]) -> list[str]:
    return [name for name in names if "*" not in name]


def _matches(pattern: str, name: str) -> bool:
    """Whether a name has the form of a pattern, in which one `*` stands for any text."""
    head, star, tail = pattern.partition("*")
    if not star:
        return name == head
    return len(name) > len(head + tail) and name.startswith(head) and name.endswith(tail)
