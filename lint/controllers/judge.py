"""The one interface of all systems: a declaration, objects and a time give a verdict.

A system offers `judges(declaration)`: one `Judge` for each thing in the object
that decides by itself, such as an entry of `healthCheckExprs`, a dependency
with its `readyExpr`, the health rule of a template, or the probes of a bundle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from celvet.lint.controllers.verdict import Verdict
from celvet.lint.model import GroupKind, Path, Value

if TYPE_CHECKING:
    from celvet.lint.cel import Compiled
    from celvet.lint.jsonpath import CompiledPath


@dataclass(frozen=True, slots=True)
class Program:
    """A text by which a judge decides: its place in the declaration, its role, what it compiles to.

    `path` leads from the root of the declaration; `role` is the schema's word
    for the text, such as `current` or `readyExpr`.
    """

    path: Path
    role: str
    compiled: Compiled | CompiledPath


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What a controller has before it when it decides.

    `objects` are those under check, as they stand now: one for most judges, all
    that were deployed for a bundle or an extension. `owner` is the object that
    declares, as `self` of a `readyExpr` shows it; None takes the declaration.
    `settings` are facts that live outside of manifests, such as the checks that
    a Gardener extension registers in Go. `now` has a time zone; `waited` is how
    long the controller has been waiting already, `previous` what it said last,
    None the first time.
    """

    objects: Sequence[Value]
    now: datetime
    owner: Value = None
    settings: Mapping[str, Value] = field(default_factory=dict)
    waited: timedelta = timedelta()
    previous: Verdict | None = None

    @property
    def object(self) -> Value:
        """The first object, for a judge of one; None where it is not in the cluster."""
        return self.objects[0] if self.objects else None

    def covered(self, applies: Callable[[Value], bool]) -> Sequence[Value]:
        """The objects that a judge applies to; where there are none, the first.

        That one is None where there is no object at all.
        """
        return [obj for obj in self.objects if applies(obj)] or [self.object]


class Judge(Protocol):
    """Decides by one part of a declaration."""

    @property
    def path(self) -> Path:
        """From the root of the declaration to the part; empty for all of it."""

    @property
    def title(self) -> str:
        """The part in words that a person would use, such as `Certificate.cert-manager.io`."""

    @property
    def group_kind(self) -> GroupKind | None:
        """The objects that the part is about; None where it names none."""

    @property
    def programs(self) -> Sequence[Program]:
        """The texts by which it decides, in the order in which they are tried."""

    @property
    def statuses(self) -> Sequence[str]:
        """Every `Verdict.status` that it can give, in the controller's words."""

    def applies(self, obj: Value) -> bool:
        """Whether the controller judges this object by this part."""

    def variables(self, situation: Situation) -> Mapping[str, Value]:
        """What the CEL programs see in a situation; a JSONPath sees the object itself."""

    def judge(self, situation: Situation) -> Verdict:
        """What the controller says; never raises, whatever the objects hold."""


class WithoutCel:
    """What a judge is that evaluates no CEL."""

    __slots__ = ()

    def variables(self, _: Situation) -> Mapping[str, Value]:
        """None."""
        return {}
