"""Finds the facts about a kind: the files of `kinds/`, each read when its kind is needed.

    kinds/<group>/<Kind>.yaml     all that is known of a kind; `core` for the core group

`kinds/README.md` and `kinds/kind.schema.json` describe the files. A user's schema directory may
have `kinds/` too.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

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
from celvet.schemas.kind_files import (
    KINDS,
    OURS,
    groups_of_files,
    kind_file,
    kinds_of_files,
    read_kind,
)

_GROUP = regex(r"([a-z0-9][a-z0-9.-]{0,252})?")
_KIND = regex(r"[A-Za-z][A-Za-z0-9]{0,62}")
"""Names that are valid file names too; the API server takes no longer ones."""


def kind_facts(group: str, kind: str, directories: Sequence[Path] = ()) -> KindFacts | None:
    """The facts about a kind, None for a kind that no file describes.

    A later directory of the user's `directories` takes precedence. Each file is read once. Raises
    `CatalogError` for a user's file that is wrong.
    """
    if not (_GROUP.fullmatch(group) and _KIND.fullmatch(kind)):
        return None
    known = tuple(each for each in _kinds_of(directories) if group in groups_of_files(each))
    return _kind_facts(group, kind, known) if known else None


@functools.lru_cache(maxsize=1024)
def _kind_facts(group: str, kind: str, directories: tuple[Path, ...]) -> KindFacts | None:
    for directory in directories:
        file = kind_file(directory, group, kind)
        if file.is_file():
            return _facts(read_kind(file))
    return None


def known_kinds(directories: Sequence[Path] = ()) -> list[tuple[str, str]]:
    """The group and kind of each file, in order; reads none of them."""
    return sorted(set().union(*map(kinds_of_files, _kinds_of(directories))))


def _kinds_of(directories: Sequence[Path]) -> list[Path]:
    """The `kinds/` of the user's schema directories, the last one first, and the built-in one."""
    return [*(each / KINDS for each in reversed(directories)), OURS]


def _facts(content: Mapping[str, Any]) -> KindFacts:
    evidence = dict(_evidence(content))
    first, early = _firsts(content)
    entry = {role: content["entry"][role] for role in ROLES if role in content.get("entry", {})}
    source = content["source"]
    return KindFacts(
        group=content["group"],
        kind=content["kind"],
        first=first,
        early=early,
        life=tuple(_state(each, content, evidence) for each in content["life"]),
        phases=tuple(_phase(each, evidence) for each in content.get("phases", ())),
        entry=entry,
        variants={
            name: _variant(each, entry) for name, each in content.get("variants", {}).items()
        },
        pitfalls=tuple(
            Pitfall(each.get("does", {}), each.get("says", ""), each)
            for each in content.get("pitfalls", ())
        ),
        fails=content["failure"].get("exists", True),
        project=source["project"],
        release=source.get("release", source.get("commit", "")),
        evidence=evidence,
        content=content,
    )


def _evidence(content: Mapping[str, Any]) -> Iterator[tuple[str, Evidence]]:
    source = content["source"]
    release = source.get("release", source.get("commit", ""))
    for name, each in content["evidence"].items():
        yield (
            name,
            Evidence(
                repository=each.get("repository", source["repository"]),
                release=each.get("release", release),
                path=each["path"],
                says=each["says"],
            ),
        )


def _cited(claim: Mapping[str, Any], known: Mapping[str, Evidence]) -> tuple[Evidence, ...]:
    return tuple(known[name] for name in claim.get("evidence", ()))


def _firsts(
    content: Mapping[str, Any],
) -> tuple[dict[str, frozenset[str]], dict[str, tuple[str, ...]]]:
    first, early = {}, {}
    for list_path, types in condition_lists(content).items():
        path = list_path.replace("[]", "[0]")
        comes = {name: each.get("comes") for name, each in types.items()}
        together = sorted(name for name, when in comes.items() if when in ("born", "together"))
        alone = sorted(name for name, when in comes.items() if when == "alone")
        # Which version an object has is not known here, and others lack the condition.
        first[path] = frozenset(name for name in together if "versions" not in types[name])
        early[path] = (*alone, *together)
    return first, early


def _state(
    state: Mapping[str, Any], content: Mapping[str, Any], known: Mapping[str, Evidence]
) -> LifeState:
    return LifeState(
        name=state["name"],
        stage=state["stage"],
        verdict=state["verdict"],
        object=object_of(content, state),
        says=state.get("says", ""),
        since=state.get("since", ""),
        until=state.get("until", ""),
        evidence=_cited(state, known),
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
    found = {
        "apiVersion": f"{content['group']}/{version}".lstrip("/"),
        "kind": content["kind"],
        "metadata": metadata | more.pop("metadata", {}),
        **{name: {} for name in crd.get("required", ())},
        **more,
    }
    return found | ({"status": state["status"]} if "status" in state else {})


def _variant(variant: Mapping[str, Any], entry: Mapping[str, str]) -> Variant:
    own = {**entry, **{role: variant[role] for role in ROLES if role in variant}}
    kept = {role: own[role] for role in ROLES if own.get(role)}
    return Variant(kept, variant["why"], variant.get("differs", {}))


def _phase(phase: Mapping[str, Any], known: Mapping[str, Evidence]) -> PhaseField:
    stories = {
        value: each if isinstance(each, Mapping) else {"means": each}
        for value, each in phase["values"].items()
    }
    never = phase.get("never", {})
    meant = {
        value: each["meant"] if isinstance(each, Mapping) else each for value, each in never.items()
    }
    return PhaseField(
        path=phase["path"],
        values={v: each["means"] for v, each in stories.items() if "until" not in each},
        former={v: each["until"] for v, each in stories.items() if "until" in each},
        never={value: each or "" for value, each in meant.items()},
        open=phase.get("open", False),
        evidence=_cited(phase, known),
    )
