"""The facts about a kind under check: the states of its life, conditions, phases, entries."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from celvet.record import record, replace
from celvet.schemas.dialect import Dialect
from celvet.schemas.walk import ITEM, steps

ROLES: Mapping[str, str] = {"inProgress": "InProgress", "failed": "Failed", "current": "Current"}
"""The expressions of an entry, each with its verdict, in the order in which Flux tries them."""

MEANINGS: Mapping[str, str] = {
    "current": "is ready",
    "inProgress": "is under way, or not begun",
    "failed": "will not get ready by itself",
    "transient": "has met an error that is tried again",
    "suspended": "is switched off on purpose",
    "neutral": "this says nothing about readiness",
}
"""The words of the files for what a condition or a phase says of an object, spelt out."""


@record
class Need:
    """What a state of a life needs: a field of the spec, with a value if one is named.

    With `is_other`, the field has another value, or is absent.
    """

    path: tuple[str, ...]
    value: str
    is_other: bool

    def is_met(self, field: object) -> bool:
        """Whether the value of the field, None if it is absent, is what is needed."""
        return (str(field) == self.value) != self.is_other if self.value else field is not None


@record
class Evidence:
    """A place in a controller's repository, and what it says.

    `release` may be a commit after one, in the form of `git describe`: `v3.5.1-420-g37ee0097cf`.
    """

    repository: str
    release: str
    path: str
    says: str


@record(eq=False)
class LifeState:
    """A state that an object passes through, or gets stuck in.

    `stage` and `verdict` are words of the schema. `object` is the whole object. `since` and
    `until` are releases of the controller, empty if the state occurs in all. `says` and `evidence`
    may be empty. `unverified` says that there is no evidence for the state.
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
    """An alternative entry: its expressions, why, and the states where its verdict differs."""

    entry: Mapping[str, str]
    why: str
    differs: Mapping[str, str]


@record(eq=False)
class Pitfall:
    """A wrong entry that people write: the states that get a wrong verdict, and why."""

    does: Mapping[str, str]
    says: str
    entry: Mapping[str, str]


@record(eq=False)
class PhaseField:
    """A field whose text names a state.

    `values` are those that the newest release writes, `former` those of older releases, with the
    first release without them. `never` are texts that people write by mistake, with the value that
    they mean, empty if there is none. `open` means that other values occur as well.
    """

    path: str
    values: Mapping[str, str]
    former: Mapping[str, str]
    never: Mapping[str, str]
    open: bool
    evidence: tuple[Evidence, ...]

    def values_for(self, meaning: str) -> list[str]:
        """The values of the newest release with a meaning."""
        return [value for value, word in self.values.items() if word == meaning]


@record(eq=False)
class KindFacts:
    """The facts about a kind.

    `first` and `early` are condition types by list, such as `status.parents[0].conditions`. The
    `first` ones exist as soon as any condition does; the `early` ones may exist before the others.
    `entry` has the recommended expressions by role; it is empty if kstatus is enough. `fails`
    tells whether any state is a failure. `content` is the whole file.
    """

    group: str
    kind: str
    first: Mapping[str, frozenset[str]]
    early: Mapping[str, tuple[str, ...]]
    life: tuple[LifeState, ...]
    phases: tuple[PhaseField, ...]
    entry: Mapping[str, str]
    variants: Mapping[str, Variant]
    pitfalls: tuple[Pitfall, ...]
    fails: bool
    project: str
    release: str
    evidence: Mapping[str, Evidence]
    content: Mapping[str, Any]

    def in_roles_of(self, dialect: Dialect) -> KindFacts:
        """The facts with the entries in the roles of a dialect, which may have other names."""
        roles = {role.answer: role.name for role in dialect.roles if role.answer}
        names = tuple((role, roles[verdict]) for role, verdict in ROLES.items() if verdict in roles)
        return self if all(role == name for role, name in names) else _renamed(self, names)

    @property
    def needs(self) -> Mapping[str, Need]:
        """What the spec must say for an object to get into a state, by its name."""
        states = self.content["life"]
        return {state["name"]: need_of(state["needs"]) for state in states if "needs" in state}

    def without(self, needs: frozenset[Need]) -> KindFacts:
        """The facts about objects that meet none of these needs."""
        return _without_states(self, needs) if needs else self

    @property
    def condition_lists(self) -> Mapping[str, Mapping[str, Any]]:
        """The claims about condition types by list; see `condition_lists`."""
        return condition_lists(self.content)

    @property
    def conditions(self) -> Mapping[str, Any]:
        """The claims about the types of `status.conditions`."""
        return condition_lists(self.content)["status.conditions"]

    def condition_meanings(self) -> Iterator[tuple[str, str, str]]:
        """The types of `status.conditions`, each with `True` and `False`, and what that means."""
        for name, claim in self.conditions.items():
            for status in ("True", "False"):
                yield name, status, meaning_of(claim.get(status))

    @property
    def own_statuses(self) -> frozenset[str]:
        """The statuses of conditions that are not those of the API conventions."""
        claims = (claim for types in self.condition_lists.values() for claim in types.values())
        return frozenset(status for claim in claims for status in claim.get("other", ()))

    def closest_entry(
        self, texts: Collection[str], verdicts: Mapping[str, str]
    ) -> Mapping[str, str]:
        """The entry for whoever wrote `texts`, which give these verdicts in states of the life.

        That is a variant which waits for more, if it names a condition that they wait for and the
        entry does not, or one which fails sooner, if they fail as soon as it does.
        """
        condition_types = [kind for kind in self.conditions if _names(texts, kind)]
        missing_types = [kind for kind in condition_types if not _names(self.entry.values(), kind)]
        for variant in self.variants.values():
            waits = variant.differs and set(variant.differs.values()) == {"InProgress"}
            if waits and any(_names(variant.entry.values(), kind) for kind in missing_types):
                return variant.entry
        for variant in self.variants.values():
            fails = variant.differs and set(variant.differs.values()) == {"Failed"}
            if fails and all(verdicts.get(state) == "Failed" for state in variant.differs):
                return variant.entry
        return self.entry

    def pitfall(self, state: str, *verdicts: str) -> Pitfall | None:
        """The first pitfall that gives this state one of these verdicts."""
        return next(
            (pitfall for pitfall in self.pitfalls if pitfall.does.get(state) in verdicts), None
        )

    def sources(self, state: str) -> tuple[Evidence, ...]:
        """The evidence for a state of the life, or for the note on failure that replaces it."""
        life_state = next((item for item in self.life if item.name == state), None)
        if life_state is None or life_state.evidence:
            return life_state.evidence if life_state else ()
        names = self.content["failure"].get("evidence", ())
        return tuple(self.evidence[name] for name in names)[:1]

    @property
    def title(self) -> str:
        """The kind, or the group of the facts about all of its kinds."""
        return self.kind or self.group

    @property
    def family(self) -> str:
        """What the kinds of its family are called; empty if the kind has a file of its own."""
        return str(self.content.get("family", ""))

    @property
    def api_version(self) -> str:
        """The `apiVersion` of an object, of the version that the file names first."""
        return f"{self.group}/{self.content['crd']['versions'][0]}".lstrip("/")

    @property
    def scope(self) -> str:
        """`Namespaced`, or `Cluster` if its objects have no namespace."""
        return str(self.content["crd"]["scope"])

    @property
    def fits_all_releases(self) -> bool:
        """Whether the entry recognises a ready object in all releases."""
        return any(not state.since for state in self.life if state.stage == "ready")

    @property
    def generation_in(self) -> Sequence[str]:
        """Where the observed generation is: in the `status`, in the `conditions`."""
        return tuple(self.content["observedGeneration"]["in"])

    @property
    def kstatus(self) -> str:
        """Why kstatus is enough: `core`, `flux` or `conventions`; empty if it is not."""
        kstatus = self.content["kstatus"]
        return kstatus.get("because", "conventions") if kstatus.get("enough") else ""


def meaning_of(claim: str | Mapping[str, Any] | None) -> str:
    """What a status, a reason or a value means, by the claim of a file; empty without one."""
    return str(claim.get("means", "")) if isinstance(claim, Mapping) else claim or ""


def _names(texts: Iterable[str], condition: str) -> bool:
    """Whether an expression has the type of a condition as a literal."""
    return any(f"'{condition}'" in text or f'"{condition}"' in text for text in texts)


@functools.lru_cache(maxsize=1024)
def _renamed(facts: KindFacts, names: tuple[tuple[str, str], ...]) -> KindFacts:
    def of(entry: Mapping[str, str]) -> dict[str, str]:
        return {name: entry[role] for role, name in names if role in entry}

    variants = {
        name: replace(variant, entry=of(variant.entry)) for name, variant in facts.variants.items()
    }
    return replace(facts, entry=of(facts.entry), variants=variants)


@functools.lru_cache(maxsize=256)
def _without_states(facts: KindFacts, unmet: frozenset[Need]) -> KindFacts:
    needs = facts.needs
    return replace(
        facts, life=tuple(state for state in facts.life if needs.get(state.name) not in unmet)
    )


def need_of(text: str) -> Need:
    """What `spec.ca`, `spec.type=LoadBalancer` or `spec.type!=LoadBalancer` asks for."""
    path, _, value = text.partition("=")
    return Need(tuple(path.removesuffix("!").split(".")), value, path.endswith("!"))


def steps_of(path: str) -> tuple[str | None, ...]:
    """The fields of a path such as `status.parents[].phase`; None steps into a list."""
    return tuple(None if step == ITEM else step for step in steps(path))


def condition_lists(content: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The claims of a file about condition types by list, `status.parents[].conditions`."""
    return {
        "status.conditions": content.get("conditions", {}),
        **content.get("nestedConditions", {}),
    }
