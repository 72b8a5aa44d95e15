"""The rules: one module each, whose docstring is its page in the manual.

A rule module is named after its id (`cel-syntax` is `cel_syntax.py`), has a
`SEVERITY`, which is that of its gravest findings, and one or more of these functions, which
yield findings and do not deal with configured severities, suppression or output:

    check(checked: CheckedObject) -> Iterator[Finding]
    check_manifest(manifest: Manifest) -> Iterator[Finding]
    check_unused(suppression: Suppression) -> Iterator[Finding]

With `UNUSED = True` it reports what has no use. In a template that counts if no input set uses it.

A page has one complete bad example. The good one may begin with the line at which it leaves the
bad one, so that a reader sees what changes.

A rule looks at one check at a time, and at the object around the checks; it never
compares two checks. So an editor can run the rules again on the changed checks only.

The directory is the registry, and it is strict: a module that does not keep to
this is an error, never skipped.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from celvet.lint.lazy import modules
from celvet.lint.model import Finding, Severity
from celvet.record import record
from celvet.version import REPOSITORY

if TYPE_CHECKING:
    from celvet.lint.checks import CheckedObject
    from celvet.lint.manifest import Manifest
    from celvet.lint.suppression import Suppression

_PAGES = f"{REPOSITORY}/blob/main/docs/rules"

SubjectT = TypeVar("SubjectT")
Reports: TypeAlias = Callable[[SubjectT], Iterator[Finding]]


class RuleError(TypeError):
    """A module of this package that is not a rule as its docstring describes."""


def nothing(_: object) -> Iterator[Finding]:
    """The findings of a rule about a subject that it does not look at."""
    return iter(())


@record
class Rule:
    """A rule and what its module declares; `page` is Markdown, its first line the summary."""

    id: str
    severity: Severity
    page: str
    check: Reports[CheckedObject]
    check_manifest: Reports[Manifest]
    check_unused: Reports[Suppression]
    unused: bool = False

    @property
    def summary(self) -> str:
        """One line on what the rule reports."""
        return self.page.partition("\n")[0].rstrip(".")

    @property
    def url(self) -> str:
        """The page of the manual."""
        return f"{_PAGES}/{self.id}.md"


@cache
def ids() -> tuple[str, ...]:
    """The ids of all rules, in alphabetical order; loads none of them."""
    return tuple(sorted(name.replace("_", "-") for name in modules(__path__)))


@cache
def rules() -> tuple[Rule, ...]:
    """All rules, in alphabetical order; raises `RuleError` for a module that is not a rule."""
    return tuple(_load(id_) for id_ in ids())


@cache
def on_suppressions() -> frozenset[str]:
    """The ids of the rules that report suppressions."""
    return frozenset(rule.id for rule in rules() if rule.check_unused is not nothing)


@cache
def on_unused() -> frozenset[str]:
    """The ids of the rules that report what has no use."""
    return frozenset(rule.id for rule in rules() if rule.unused)


_CHECKS = ("check", "check_manifest", "check_unused")


def _load(id_: str) -> Rule:
    module = importlib.import_module(f"{__name__}.{id_.replace('-', '_')}")
    checks = {name: getattr(module, name, nothing) for name in _CHECKS}
    severity = getattr(module, "SEVERITY", None)
    if not (module.__doc__ and isinstance(severity, Severity)) or set(checks.values()) == {nothing}:
        raise RuleError(f"{module.__file__} is not a rule: see the docstring of {__name__}")
    unused = getattr(module, "UNUSED", False)
    return Rule(id_, severity, module.__doc__, **checks, unused=unused)
