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
        namespace_policy = self._namespace(namespace)
        if namespace_policy and rule in namespace_policy.rules:
            return namespace_policy.rules[rule]
        if namespace_policy is None or namespace_policy.enforce is None:
            return self.rules.get(rule, self.enforce)
        return min(namespace_policy.enforce, self.rules.get(rule, Mode.DENY))

    def off(self, namespace: str) -> frozenset[str]:
        """The rules that are switched off in a namespace."""
        namespace_policy = self._namespace(namespace)
        rules = {*self.rules, *(namespace_policy.rules if namespace_policy else ())}
        return frozenset(rule for rule in rules if self.mode(rule, namespace) is Mode.OFF)

    def _namespace(self, name: str) -> NamespacePolicy | None:
        matching = (policy for policy in self.namespaces if fnmatchcase(name, policy.pattern))
        return next(matching, None) if name else None
