"""What becomes of an objection: it denies, warns, is recorded, or is dropped."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase


class Mode(enum.IntEnum):
    """What an error does; ordered by how much users feel of it.

    `DENY`: errors deny, warnings warn. `WARN`: both warn. `AUDIT`: both go to the
    audit log. `OFF`: nothing.
    """

    OFF = 0
    AUDIT = 1
    WARN = 2
    DENY = 3

    def __str__(self) -> str:
        """As the option and the policy file spell it."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class NamespacePolicy:
    """What differs in the namespaces whose name matches a pattern (`team-*`).

    Without `enforce`, nothing but the rules that are named here.
    """

    pattern: str
    enforce: Mode | None = None
    rules: Mapping[str, Mode] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Policy:
    """The modes of all rules in all namespaces; `opt_out` lets objects ignore rules by annotation.

    Of several patterns that match a namespace the first counts. Objects without a
    namespace have the general modes.
    """

    enforce: Mode = Mode.DENY
    rules: Mapping[str, Mode] = field(default_factory=dict)
    namespaces: tuple[NamespacePolicy, ...] = ()
    opt_out: bool = False

    def mode(self, rule: str, namespace: str) -> Mode:
        """The mode of a rule in a namespace.

        What a namespace says of the rule itself decides; else the milder one of what
        the namespace says in general and what is said of the rule in general.
        Where the namespace says neither, it is as all others are.
        """
        there = self._namespace(namespace)
        if there and rule in there.rules:
            return there.rules[rule]
        if there is None or there.enforce is None:
            return self.rules.get(rule, self.enforce)
        return min(there.enforce, self.rules.get(rule, Mode.DENY))

    def _namespace(self, name: str) -> NamespacePolicy | None:
        matching = (each for each in self.namespaces if fnmatchcase(name, each.pattern))
        return next(matching, None) if name else None
