"""Kinds of the catalogue where a check names its objects, and whole entries for them.

A file is read for each kind, so no more than a few are proposed for what has been typed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from lsprotocol import types as lsp

from celvet.lint.lsp.features.completion.cursor import AtKey, AtValue
from celvet.lint.lsp.features.completion.proposal import Proposal
from celvet.lint.model import GroupKind
from celvet.lint.suggest.known import of_facts
from celvet.lint.suggest.output.yaml import item
from celvet.lint.values import text_at
from celvet.schemas import Catalog, KindFacts, kind_facts
from celvet.schemas.known_kinds import known_kinds

_MOST = 8


def kinds(at: AtValue, catalog: Catalog) -> Iterator[Proposal]:
    """The `apiVersion` or `kind` of an entry, by what is beside it."""
    about = at.context
    if not about.names_objects:
        return
    known = [GroupKind(*each) for each in known_kinds(catalog.directories)]
    if about.path[-1] == "kind":
        group = GroupKind.of(text_at(about.beside, ("apiVersion",)), "").group
        names = {each.kind for each in known if each.group == group or not group}
        yield from (Proposal(name, lsp.CompletionItemKind.EnumMember) for name in sorted(names))
    elif about.path[-1] == "apiVersion":
        kind, group = text_at(about.beside, ("kind",)), at.typed.partition("/")[0]
        fitting = [each for each in known if each.kind == kind] or known
        begun = {each.group: each for each in fitting if each.group.startswith(group)}
        for facts in _read(begun.values(), catalog):
            for version in facts.content["crd"]["versions"]:
                label = f"{facts.group}/{version}".lstrip("/")
                yield Proposal(label, lsp.CompletionItemKind.EnumMember, facts.project)


def entries(at: AtKey, catalog: Catalog) -> Iterator[Proposal]:
    """Whole entries for the kinds that begin with what has been typed, in an entry without keys."""
    marks = [schema["x-check"] for schema in at.context.schemas if "x-check" in schema]
    dialects = [catalog.dialects[mark["dialect"]] for mark in marks if "dialect" in mark]
    roles = {role.name for dialect in dialects for role in dialect.roles}
    if at.siblings or not at.typed or not roles:
        return
    typed = at.typed.lower()
    known = (GroupKind(*each) for each in known_kinds(catalog.directories))
    begun = (each for each in known if str(each).lower().startswith(typed))
    for facts in _read(begun, catalog):
        if facts.entry and facts.entry.keys() <= roles:
            yield _entry(facts, dash=at.dash)


def _entry(facts: KindFacts, *, dash: bool) -> Proposal:
    """The keys of an entry; editors indent further lines like the first, up to its dash."""
    found = of_facts(facts)
    first, *rest = item(found.fields)
    indented = [line if dash else line.removeprefix("  ") for line in rest]
    return Proposal(
        label=str(found.kind),
        kind=lsp.CompletionItemKind.Snippet,
        detail=f"entry, {found.basis}",
        documentation="\n\n".join(found.reasons),
        insert="\n".join((first.removeprefix("- "), *indented)),
    )


def _read(wanted: Iterable[GroupKind], catalog: Catalog) -> Iterator[KindFacts]:
    for each in islice(wanted, _MOST):
        if facts := kind_facts(each.group, each.kind, catalog.directories):
            yield facts
