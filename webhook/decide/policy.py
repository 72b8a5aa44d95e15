"""The policy: whether a finding denies, warns, goes to the audit log, or is dropped."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from fnmatch import fnmatchcase

from celvet.record import field, record


class Mode(enum.IntEnum):
    """The effect of an error, from the mildest to the strictest.

    `DENY`: errors deny, warnings warn. `WARN`: both warn. `AUDIT`: both go to the
    audit log. `OFF`: nothing.
    """

    OFF = 0
    AUDIT = 1
    WARN = 2
    DENY = 3

    def __str__(self) -> str:
        """The mode as the option and the policy file spell it."""
        return self.name.lower()


@record
class NamespacePolicy:
    """Exceptions for the namespaces whose names match a pattern (`team-*`).

    Without `enforce`, they apply only to the listed `rules`.
    """

    pattern: str
    enforce: Mode | None = None
    rules: Mapping[str, Mode] = field(default_factory=dict)


@record
class AdmissionPolicy:
    """The modes of all rules in all namespaces.

    The first pattern that matches a namespace applies. Objects without a namespace get the general
    modes.
    """

    enforce: Mode = Mode.DENY
    rules: Mapping[str, Mode] = field(default_factory=dict)
    namespaces: tuple[NamespacePolicy, ...] = ()

    def mode(self, rule: str, namespace: str) -> Mode:
        """The mode of a rule in a namespace.

        A namespace's mode for this rule decides. Otherwise it is the milder of the namespace's
        general mode and the rule's general mode. A namespace that sets neither is treated like any
        other.
        """
        there = self._namespace(namespace)
        if there and rule in there.rules:
            return there.rules[rule]
        if there is None or there.enforce is None:
            return self.rules.get(rule, self.enforce)
        return min(there.enforce, self.rules.get(rule, Mode.DENY))

    def off(self, namespace: str) -> frozenset[str]:
        """The rules that are switched off in a namespace."""
        there = self._namespace(namespace)
        named = {*self.rules, *(there.rules if there else ())}
        return frozenset(rule for rule in named if self.mode(rule, namespace) is Mode.OFF)

    def _namespace(self, name: str) -> NamespacePolicy | None:
        matching = (each for each in self.namespaces if fnmatchcase(name, each.pattern))
        return next(matching, None) if name else None
