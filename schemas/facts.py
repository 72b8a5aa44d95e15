"""What a kind means: the files of `kinds/`, each read when somebody asks for its kind.

    kinds/<group>/<Kind>.yaml     all that is known of a kind; `core` for the core group
    kinds/first-conditions.yaml   kinds of which only the first conditions are known

`kinds/README.md` and `kinds/kind.schema.json` describe the files. A user's schema directory may
have `kinds/` too.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from celvet.record import record
from celvet.regex import regex
from celvet.schemas.dialect import Dialect
from celvet.schemas.kind_files import KINDS, OURS, kind_file, kinds_of_files, parsed, read_kind

ROLES: Mapping[str, str] = {"inProgress": "InProgress", "failed": "Failed", "current": "Current"}
"""The expressions of an entry, each with its verdict, in the order in which Flux tries them."""

MEANINGS: Mapping[str, str] = {
    "current": "is ready",
    "inProgress": "is under way, or not begun",
    "failed": "will not get ready by itself",
    "transient": "has met an error that is tried again",
    "suspended": "is switched off on purpose",
    "neutral": "this tells nothing of readiness",
}
"""The words of the files for what a condition or a phase says of an object, spelt out."""

_FIRST = "first-conditions.yaml"
_GROUP = regex(r"([a-z0-9][a-z0-9.-]*)?")
_KIND = regex(r"[A-Za-z][A-Za-z0-9]*")


@record
class Evidence:
    """A place in a controller's repository, and what it says."""

    repository: str
    release: str
    path: str
    says: str


@record(eq=False)
class LifeState:
    """A state that an object passes, or gets stuck in.

    `stage` and `verdict` are words of the schema. `object` is the whole object. `since` and
    `until` are releases of the controller, empty for a state of all of them. `says` and
    `evidence` may be empty. `unverified` says that nobody has read of it.
    """

    name: str
    stage: str
    verdict: str
    object: Mapping[str, Any]
    says: str = ""
    since: str = ""
    until: str = ""
    evidence: tuple[Evidence, ...] = ()
    unverified: bool = False


@record(eq=False)
class Variant:
    """Another entry: its expressions, why, and the states that it gives another verdict."""

    entry: Mapping[str, str]
    why: str
    differs: Mapping[str, str]


@record(eq=False)
class Pitfall:
    """An entry that people write: the states that it gives a wrong verdict, and why."""

    does: Mapping[str, str]
    says: str


@record(eq=False)
class PhaseField:
    """A field whose text names a state.

    `values` are those that the newest release writes, `former` those of older ones with the first
    release without them. `never` are other texts that people write, with the one that is meant,
    empty where there is none. `open` marks values that are no closed set.
    """

    path: str
    values: Mapping[str, str]
    former: Mapping[str, str]
    never: Mapping[str, str]
    open: bool
    evidence: tuple[Evidence, ...]


@record(eq=False)
class KindFacts:
    """What is known of a kind.

    `first` and `early` are condition types by list, `status.parents[0].conditions`: those that are
    there as soon as any is, and those that are there early, the ones that may be alone in front.
    `life` is empty where nothing else is known. `entry` has the recommended expressions by role;
    it is empty where kstatus is enough. `fails` tells whether any state is a failure. `content` is
    the whole file.
    """

    group: str
    kind: str
    first: Mapping[str, frozenset[str]]
    early: Mapping[str, tuple[str, ...]]
    life: tuple[LifeState, ...] = ()
    phases: tuple[PhaseField, ...] = ()
    entry: Mapping[str, str] = field(default_factory=dict)
    variants: Mapping[str, Variant] = field(default_factory=dict)
    pitfalls: tuple[Pitfall, ...] = ()
    fails: bool = True
    project: str = ""
    release: str = ""
    evidence: Mapping[str, Evidence] = field(default_factory=dict)
    content: Mapping[str, Any] = field(default_factory=dict)

    def in_roles_of(self, dialect: Dialect) -> KindFacts:
        """The facts with the entries in the roles of a dialect, which may have other names."""
        given = {role.answer: role.name for role in dialect.roles if role.answer}
        names = tuple((role, given[verdict]) for role, verdict in ROLES.items() if verdict in given)
        return self if all(role == name for role, name in names) else _renamed(self, names)

    @property
    def condition_lists(self) -> Mapping[str, Mapping[str, Any]]:
        """The claims about condition types by list, `status.parents[].conditions`."""
        return _condition_lists(self.content)

    def pitfall(self, state: str, *verdicts: str) -> Pitfall | None:
        """The first one with one of these verdicts on a state of the life."""
        return next((each for each in self.pitfalls if each.does.get(state) in verdicts), None)

    def sources(self, state: str) -> tuple[Evidence, ...]:
        """The evidence of a state of the life, or of what is said of failure in its place."""
        found = next((each for each in self.life if each.name == state), None)
        if found is None or found.evidence:
            return found.evidence if found else ()
        named = self.content["failure"].get("evidence", ())
        return tuple(self.evidence[name] for name in named)[:1]

    @property
    def is_cluster_scoped(self) -> bool:
        """Whether its objects have no namespace, as far as that is known."""
        return bool(self.content) and self.content["crd"]["scope"] == "Cluster"

    @property
    def kstatus(self) -> str:
        """Why kstatus is enough: `core`, `flux` or `conventions`; empty where it is not."""
        known = self.content.get("kstatus", {})
        return known.get("because", "conventions") if known.get("enough") else ""


def kind_facts(group: str, kind: str, directories: Sequence[Path] = ()) -> KindFacts | None:
    """What is known of a kind, None for a kind that no file describes.

    A later one of the user's `directories` takes precedence. Each file is read once.
    Raises `CatalogError` for a file of the user's that is not understood.
    """
    if not (_GROUP.fullmatch(group) and _KIND.fullmatch(kind)):
        return None
    return _kind_facts(group, kind, tuple(directories))


@functools.lru_cache(maxsize=1024)
def _kind_facts(group: str, kind: str, directories: tuple[Path, ...]) -> KindFacts | None:
    for directory in _kinds_of(directories):
        file = kind_file(directory, group, kind)
        if file.is_file():
            return _facts(read_kind(file))
    return _first_alone().get((group, kind))


@functools.lru_cache(maxsize=1024)
def _renamed(facts: KindFacts, names: tuple[tuple[str, str], ...]) -> KindFacts:
    def of(entry: Mapping[str, str]) -> dict[str, str]:
        return {name: entry[role] for role, name in names if role in entry}

    variants = {name: replace(each, entry=of(each.entry)) for name, each in facts.variants.items()}
    return replace(facts, entry=of(facts.entry), variants=variants)


def known_kinds(directories: Sequence[Path] = ()) -> list[tuple[str, str]]:
    """The group and kind of each file, in order; reads none of them."""
    return sorted(set().union(*map(kinds_of_files, _kinds_of(directories))))


def _kinds_of(directories: Sequence[Path]) -> list[Path]:
    """The `kinds/` of the user's schema directories, the last first, and ours."""
    return [*(each / KINDS for each in reversed(directories)), OURS]


def steps_of(path: str) -> tuple[str | None, ...]:
    """The fields of a path of the files, `status.parents[].phase`; None steps into a list."""
    steps: list[str | None] = []
    for part in path.split("."):
        steps += [part.removesuffix("[]"), None] if part.endswith("[]") else [part]
    return tuple(steps)


# from a file to the record


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
            Pitfall(each.get("does", {}), each.get("says", ""))
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


def _condition_lists(content: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {
        "status.conditions": content.get("conditions", {}),
        **content.get("nestedConditions", {}),
    }


def _firsts(
    content: Mapping[str, Any],
) -> tuple[dict[str, frozenset[str]], dict[str, tuple[str, ...]]]:
    first, early = {}, {}
    for list_path, types in _condition_lists(content).items():
        path = list_path.replace("[]", "[0]")
        comes = {name: each.get("comes") for name, each in types.items()}
        together = sorted(name for name, when in comes.items() if when in ("born", "together"))
        alone = sorted(name for name, when in comes.items() if when == "alone")
        first[path], early[path] = frozenset(together), (*alone, *together)
    return first, early


def _state(
    state: Mapping[str, Any], content: Mapping[str, Any], known: Mapping[str, Evidence]
) -> LifeState:
    return LifeState(
        name=state["name"],
        stage=state["stage"],
        verdict=state["verdict"],
        object=_object(state, content),
        says=state.get("says", ""),
        since=state.get("since", ""),
        until=state.get("until", ""),
        evidence=_cited(state, known),
        unverified=state.get("unverified", False),
    )


def _object(state: Mapping[str, Any], content: Mapping[str, Any]) -> dict[str, Any]:
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


@functools.cache
def _first_alone() -> Mapping[tuple[str, str], KindFacts]:
    """The kinds of which only the first conditions are known."""
    found: dict[tuple[str, str], KindFacts] = {}
    for row in parsed(OURS / _FIRST):
        together, alone = sorted(row.get("together", ())), sorted(row.get("alone", ()))
        first = {"status.conditions": frozenset(together)}
        early = {"status.conditions": (*alone, *together)}
        for kind in row["kinds"]:
            found[row["group"], kind] = KindFacts(row["group"], kind, first, early)
    return found
