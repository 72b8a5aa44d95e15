"""What is suggested for a kind, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from celvet.lint.model import GroupKind, Value
from celvet.record import field, record
from celvet.schemas.facts import Evidence, LifeState


@record
class Choice:
    """Another entry than the one suggested: its expressions by role, and who wants it."""

    entry: Mapping[str, str]
    why: str


@record
class SnippetDifference:
    """A state of the life in which a snippet `gives` another verdict than the catalogue."""

    state: str
    verdict: str
    gives: str


@record(kw_only=True)
class Snippet:
    """What to write for a system that is not Flux.

    `text` is ready to paste at `place`, and empty if nothing can be said, or with `needless`, if
    the system judges the kind correctly by itself. `expressions` are the values in it by role,
    exactly as the system reads them; `variable` holds the object where they are CEL. `unsaid` are
    sentences about what the text does not say, `differs` the states that it gets wrong.
    """

    dialect: str
    mirrors: str
    place: str
    text: str
    expressions: Mapping[str, Value]
    variable: str
    needless: bool
    unsaid: tuple[str, ...]
    differs: tuple[SnippetDifference, ...]
    notes: tuple[str, ...]


@record
class Suggestion:
    """An entry for the objects of a kind, or, without a `kind` in it, for those of a group.

    `entry` has the expressions by role, none if Flux judges the kind correctly without. `basis`
    says where it comes from. `reasons` and `questions` are sentences; if there are questions, the
    entry is not proved. `variants` are other entries by name, `variant` the one that `entry` is,
    empty for the recommended one. `life` are states of an object with the verdict of the entry.
    `waiters` are the places that wait for such objects, `need` says what goes wrong without the
    entry. `snippet` is the same for another system, None for Flux.
    """

    kind: GroupKind
    api_version: str
    entry: Mapping[str, str]
    basis: str
    reasons: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    variants: Mapping[str, Choice] = field(default_factory=dict)
    variant: str = ""
    evidence: tuple[Evidence, ...] = ()
    life: tuple[LifeState, ...] = ()
    waiters: tuple[str, ...] = ()
    need: str = ""
    snippet: Snippet | None = None

    @property
    def proven(self) -> bool:
        """Whether the entry rests on read or recorded behaviour."""
        return not self.questions

    @property
    def fields(self) -> dict[str, str]:
        """The item of `healthCheckExprs`; empty if none is needed."""
        kind = {"kind": self.kind.kind} if self.kind.kind else {}
        return {"apiVersion": self.api_version, **kind, **self.entry} if self.entry else {}

    @property
    def title(self) -> str:
        """The kind, or the group."""
        return str(self.kind) if self.kind.kind else f"every kind of {self.kind.group}"


@record
class Suggestions:
    """The answer of `celvet suggest`.

    `unknown` are kinds outside of the catalogue, by who waits for them. For `minor` kinds an entry
    would be better, but nobody has to wait for their objects. `reasons` says whether to show all
    reasons.
    """

    suggestions: Sequence[Suggestion]
    unknown: Mapping[GroupKind, tuple[str, ...]] = field(default_factory=dict)
    minor: Sequence[GroupKind] = ()
    reasons: bool = False
