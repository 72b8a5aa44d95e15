"""The subjects of a declaration, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Generic, Protocol, TypeVar

from celvet.lint.cel import Compiled
from celvet.lint.crds.schema import CrdSchema
from celvet.lint.model import GroupKind, ObjectRef, Path, Value
from celvet.lint.predict.faults.diagnose import diagnose
from celvet.lint.predict.faults.diagnosis import Diagnosis, Fault, Remedy
from celvet.lint.predict.fixes.rewrites import remedy
from celvet.lint.predict.health_rule import RuleDiagnosis, RuleFault, diagnose_rule
from celvet.lint.predict.subject import Subject, subject


class _Expression(Protocol):
    @property
    def program(self) -> Compiled: ...
    @property
    def subject(self) -> tuple[str, str]: ...


ExpressionT_co = TypeVar("ExpressionT_co", bound=_Expression, covariant=True)


class _Entry(Protocol[ExpressionT_co]):
    @property
    def value(self) -> Mapping[str, Value]: ...
    @property
    def expressions(self) -> Mapping[str, ExpressionT_co]: ...
    @property
    def group_kind(self) -> GroupKind: ...


EntryT_co = TypeVar("EntryT_co", bound="_Entry[_Expression]", covariant=True)
EntryT = TypeVar("EntryT", bound="_Entry[_Expression]")


class _Declaration(Protocol[EntryT_co]):
    @property
    def partial(self) -> bool: ...
    @property
    def object(self) -> ObjectRef: ...
    def entries(self) -> Iterable[EntryT_co]: ...
    def schema_of(self, api_version: str, kind: str) -> CrdSchema | None: ...


class _Template(Protocol):
    @property
    def partial(self) -> bool: ...
    def get(self, *path: str | int) -> Value: ...


def subjects(declaration: _Declaration[EntryT]) -> Iterator[tuple[EntryT, Subject]]:
    """The entries of a declaration of which anything can be foretold; none of a patch."""
    for entry in () if declaration.partial else declaration.entries():
        if found := _subject(declaration, entry):
            yield entry, found


def _subject(declaration: _Declaration[EntryT], entry: EntryT) -> Subject | None:
    programs = {role: each.program for role, each in entry.expressions.items()}
    checked = any(each.dialect.variables for each in programs.values())
    kind = declaration.object.group_kind if checked else entry.group_kind
    *_, last = entry.expressions.values()
    schema = declaration.schema_of(*last.subject)
    return subject(entry.value, programs, kind, schema)


def diagnoses(
    declaration: _Declaration[EntryT], fault: Fault
) -> Iterator[tuple[EntryT, Diagnosis]]:
    """One kind of fault in all entries; asking for another kind next is free."""
    found = _diagnosed(_Same(declaration))
    return ((entry, each) for entry, each in found if each.fault == fault)


class _Same(Generic[EntryT]):
    """A declaration as a key: the same one, not an equal one."""

    __slots__ = ("declaration",)

    def __init__(self, declaration: _Declaration[EntryT]) -> None:
        self.declaration = declaration

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.declaration is other.declaration

    def __hash__(self) -> int:
        return id(self.declaration)


@lru_cache(maxsize=2)
def _diagnosed(key: _Same[Any]) -> tuple[tuple[Any, Diagnosis], ...]:
    return tuple(
        (entry, each) for entry, found in subjects(key.declaration) for each in diagnose(found)
    )


def remedy_for(
    declaration: _Declaration[EntryT], entry: EntryT, diagnosis: Diagnosis
) -> Remedy | None:
    """What is proved to help against a diagnosis of an entry, None if nothing is.

    The proof takes several times as long as the diagnosis.
    """
    found = _subject(declaration, entry)
    return remedy(found, diagnosis) if found else None


def rule_diagnoses(
    declaration: _Template, fault: RuleFault
) -> Iterator[tuple[Path, RuleDiagnosis]]:
    """One kind of fault in the health rule of a template of Cartographer, with its place."""
    if declaration.partial or not str(declaration.get("apiVersion")).startswith("carto.run/"):
        return
    template = declaration.get("spec", "template")
    named = template if isinstance(template, Mapping) else {}
    texts = (named.get(key) for key in ("apiVersion", "kind"))
    kind = GroupKind.of(*(text if isinstance(text, str) else "" for text in texts))
    for name in ("healthRule", "healthyConditionRule"):
        rule = declaration.get("spec", name)
        for found in diagnose_rule(rule, kind) if isinstance(rule, Mapping) else ():
            if found.fault == fault:
                yield ("spec", name, *found.path), found
