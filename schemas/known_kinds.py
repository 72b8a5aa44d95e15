"""Finds the facts about a kind: the files of `kinds/`, each read when its kind is needed.

    kinds/<group>/<Kind>.yaml     all that is known of a kind; `core` for the core group
    kinds/families/<name>.yaml    the same of many kinds, each without a file of its own

`kinds/README.md` and `kinds/kind.schema.json` describe the files. A user's schema directory may
have `kinds/` too.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from celvet.record import replace
from celvet.regex import regex
from celvet.schemas.facts import (
    ROLES,
    Evidence,
    KindFacts,
    LifeState,
    PhaseField,
    Pitfall,
    Variant,
    condition_lists,
)
from celvet.schemas.facts_reader.family import (
    family_examples,
    family_file,
    file_of_defined,
    member_content,
    members_called,
    named_members,
)
from celvet.schemas.facts_reader.read import read_kind
from celvet.schemas.kind_files import KINDS, OURS, groups_of_files, kind_file, kinds_of_files

_GROUP = regex(r"([a-z0-9][a-z0-9.-]{0,252})?")
_KIND = regex(r"[A-Za-z][A-Za-z0-9]{0,62}")
"""Names that are valid file names too; the API server takes no longer ones."""

ANY_KIND = "Resource"
"""A kind that no group names, so that only a family with all kinds of a group has it."""

_COMMON = 2
"""One kind tells nothing of the others of its group."""


def kind_facts(group: str, kind: str, directories: Sequence[Path] = ()) -> KindFacts | None:
    """The facts about a kind: of its own file, else of its family, else None.

    A later directory of the user's `directories` takes precedence. Each file is read once. Raises
    `CatalogError` for a user's file that is wrong.
    """
    if not (_GROUP.fullmatch(group) and _KIND.fullmatch(kind)):
        return None
    all_directories = _kinds_of(directories)
    group_directories = tuple(
        directory for directory in all_directories if group in groups_of_files(directory)
    )
    facts = _kind_facts(group, kind, group_directories) if group_directories else None
    return facts or _family_facts(group, kind, all_directories)


@functools.lru_cache(maxsize=1024)
def _kind_facts(group: str, kind: str, directories: tuple[Path, ...]) -> KindFacts | None:
    for directory in directories:
        file = kind_file(directory, group, kind)
        if file.is_file():
            return _facts(read_kind(file))
    return None


@functools.lru_cache(maxsize=1024)
def _family_facts(group: str, kind: str, directories: tuple[Path, ...]) -> KindFacts | None:
    file = family_file(group, kind, directories)
    return _facts(member_content(read_kind(file), group, kind)) if file else None


@functools.lru_cache(maxsize=256)
def group_facts(group: str, directories: tuple[Path, ...] = ()) -> KindFacts | None:
    """The facts about each kind of a group, without a `kind`: its family's, or what all share.

    None if a known kind of the group needs another entry than the others, or none.
    """
    family = kind_facts(group, ANY_KIND, directories)
    if family and family.family:
        return replace(family, kind="")
    pairs = (pair for pair in known_kinds(directories) if pair[0] == group)
    kinds = [facts for pair in pairs if (facts := kind_facts(*pair, directories))]
    entries = {tuple(facts.entry.items()) for facts in kinds}
    if len(kinds) < _COMMON or len(entries) != 1 or entries == {()}:
        return None
    return replace(max(kinds, key=lambda facts: len(facts.life)), kind="")


class DefinedKind(NamedTuple):
    """A kind that an object defines."""

    group: str
    kind: str
    versions: tuple[str, ...]
    scope: str


def defined_facts(
    group: str, kind: str, defined: DefinedKind, directories: Sequence[Path] = ()
) -> KindFacts | None:
    """The facts about a kind that an object of this group and kind defines: its family's."""
    file = file_of_defined(f"{kind}.{group}", _kinds_of(directories))
    return _defined_facts(file, defined) if file else None


@functools.lru_cache(maxsize=256)
def _defined_facts(file: Path, defined: DefinedKind) -> KindFacts:
    content = member_content(read_kind(file), defined.group, defined.kind)
    crd = {**content["crd"], "versions": [*defined.versions], "scope": defined.scope}
    return _facts({**content, "crd": crd})


def families(directories: Sequence[Path] = ()) -> Iterator[tuple[str, KindFacts]]:
    """The name of each family, with the facts about its example."""
    for file, group, kind in family_examples(_kinds_of(directories)):
        yield file.stem, _facts(member_content(read_kind(file), group, kind))


def known_kinds(directories: Sequence[Path] = ()) -> list[tuple[str, str]]:
    """The group and kind of each file, in order; reads none of them."""
    return sorted(set().union(*map(kinds_of_files, _kinds_of(directories))))


def named_kinds(directories: Sequence[Path] = ()) -> list[tuple[str, str]]:
    """The known kinds, and the members that a family names in full."""
    members = named_members(_kinds_of(directories))
    return [*dict.fromkeys((*known_kinds(directories), *members))]


def likely_kinds(kind: str, directories: Sequence[Path] = ()) -> list[tuple[str, str]]:
    """The group and kind of each member of a family that a kind without a group may be."""
    return [*dict.fromkeys(members_called(kind, _kinds_of(directories)))]


def _kinds_of(directories: Sequence[Path]) -> tuple[Path, ...]:
    """The `kinds/` of the user's schema directories, the last one first, and the built-in one."""
    return (*(directory / KINDS for directory in reversed(directories)), OURS)


def _facts(content: Mapping[str, Any]) -> KindFacts:
    evidence = dict(_evidence(content))
    first_types, early_types = _firsts(content)
    entry = {role: content["entry"][role] for role in ROLES if role in content.get("entry", {})}
    source = content["source"]
    return KindFacts(
        group=content["group"],
        kind=content["kind"],
        first=first_types,
        early=early_types,
        life=tuple(_state(state, content, evidence) for state in content["life"]),
        phases=tuple(_phase(phase, evidence) for phase in content.get("phases", ())),
        entry=entry,
        variants={
            name: _variant(variant, entry) for name, variant in content.get("variants", {}).items()
        },
        pitfalls=tuple(
            Pitfall(pitfall.get("does", {}), pitfall.get("says", ""), pitfall)
            for pitfall in content.get("pitfalls", ())
        ),
        fails=content["failure"].get("exists", True),
        project=source["project"],
        release=_read_revision(source),
        evidence=evidence,
        content=content,
    )


def _evidence(content: Mapping[str, Any]) -> Iterator[tuple[str, Evidence]]:
    source = content["source"]
    release = _read_revision(source)
    for name, citation in content["evidence"].items():
        yield (
            name,
            Evidence(
                repository=citation.get("repository", source["repository"]),
                release=citation.get("release", release),
                path=_place(citation),
                says=citation["says"],
            ),
        )


def _read_revision(source: Mapping[str, Any]) -> str:
    """The release that was read, or the commit, as `git describe` names one after a release."""
    if "ahead" in source:
        return f"{source['release']}-{source['ahead']}-g{source['commit']}"
    return str(source.get("release", source.get("commit", "")))


def _place(citation: Mapping[str, Any]) -> str:
    """`pkg/status.go`, or `pkg/status.go:setReady` where a symbol is named."""
    return ":".join(filter(None, (citation["path"], citation.get("symbol"))))


def _cited(claim: Mapping[str, Any], evidence: Mapping[str, Evidence]) -> tuple[Evidence, ...]:
    return tuple(evidence[name] for name in claim.get("evidence", ()))


def _firsts(
    content: Mapping[str, Any],
) -> tuple[dict[str, frozenset[str]], dict[str, tuple[str, ...]]]:
    first_types, early_types = {}, {}
    for list_path, types in condition_lists(content).items():
        path = list_path.replace("[]", "[0]")
        comes = {name: condition.get("comes") for name, condition in types.items()}
        together = sorted(name for name, when in comes.items() if when in ("born", "together"))
        alone = sorted(name for name, when in comes.items() if when == "alone")
        # Which version an object has is not known here, and others lack the condition.
        first_types[path] = frozenset(name for name in together if "versions" not in types[name])
        early_types[path] = (*alone, *together)
    return first_types, early_types


def _state(
    state: Mapping[str, Any], content: Mapping[str, Any], evidence: Mapping[str, Evidence]
) -> LifeState:
    return LifeState(
        name=state["name"],
        stage=state["stage"],
        verdict=state["verdict"],
        object=object_of(content, state),
        says=state.get("says", ""),
        since=state.get("since", ""),
        until=state.get("until", ""),
        evidence=_cited(state, evidence),
        unverified=state.get("unverified", False),
    )


def object_of(content: Mapping[str, Any], state: Mapping[str, Any]) -> dict[str, Any]:
    """The object of a state in the life of a kind, from the content of its file."""
    crd = content["crd"]
    version = state.get("version", crd["versions"][0])
    metadata: dict[str, Any] = {"name": "example", "generation": state.get("generation", 1)}
    if crd["scope"] == "Namespaced":
        metadata["namespace"] = "default"
    more = dict(state.get("object", {}))
    obj = {
        "apiVersion": f"{content['group']}/{version}".lstrip("/"),
        "kind": content["kind"],
        "metadata": metadata | more.pop("metadata", {}),
        **{name: {} for name in crd.get("required", ())},
        **more,
    }
    return obj | ({"status": state["status"]} if "status" in state else {})


def _variant(variant: Mapping[str, Any], entry: Mapping[str, str]) -> Variant:
    expressions = {**entry, **{role: variant[role] for role in ROLES if role in variant}}
    written_expressions = {role: expressions[role] for role in ROLES if expressions.get(role)}
    return Variant(written_expressions, variant["why"], variant.get("differs", {}))


def _phase(phase: Mapping[str, Any], evidence: Mapping[str, Evidence]) -> PhaseField:
    stories = {
        value: story if isinstance(story, Mapping) else {"means": story}
        for value, story in phase["values"].items()
    }
    never = phase.get("never", {})
    intentions = {
        value: story["meant"] if isinstance(story, Mapping) else story
        for value, story in never.items()
    }
    return PhaseField(
        path=phase["path"],
        values={v: story["means"] for v, story in stories.items() if "until" not in story},
        former={v: story["until"] for v, story in stories.items() if "until" in story},
        never={value: intention or "" for value, intention in intentions.items()},
        open=phase.get("open", False),
        evidence=_cited(phase, evidence),
    )
