"""What the engine has to say against an object, without the engine's own types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from celvet.lint.model import Severity

MAX_OBJECTIONS = 20_000
"""To one object; of one that has as many, nobody knows whether these are all."""


@dataclass(frozen=True, slots=True)
class Objection:
    """A finding as users of a cluster see it: `field` is a path as Kubernetes writes it.

    `identity` says what it is about, whatever the order of lists
    (`celvet.webhook.judging.identity`).
    """

    rule: str
    severity: Severity
    field: str
    message: str
    help: str = ""
    identity: str = ""

    @property
    def text(self) -> str:
        """Message, rule and advice in one line."""
        return f"{self.message} [celvet: {self.rule}]{f': {self.help}' if self.help else ''}"

    @property
    def summary(self) -> str:
        """Place, message and rule in one line."""
        return f"{f'{self.field}: ' if self.field else ''}{self.message} [celvet: {self.rule}]"


Crash: TypeAlias = tuple[str, str]
"""A rule that failed, by its id, and what it failed with."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What judging an object gave.

    `exhausted` says that it was given up: the object costs more than its share of
    the processor, and nothing is known of it.
    """

    objections: tuple[Objection, ...] = ()
    crashes: tuple[Crash, ...] = ()
    exhausted: bool = False

    @property
    def complete(self) -> bool:
        """Whether what is not told is not there."""
        return not self.exhausted and len(self.objections) < MAX_OBJECTIONS
