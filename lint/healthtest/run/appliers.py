"""Keeps the verdicts of declarations that apply the objects, of all in a file or directory."""

from __future__ import annotations

from collections.abc import Sequence

from celvet.lint.checks.waiting import waiting
from celvet.lint.healthtest.read.declarations import forms_of
from celvet.lint.healthtest.run.evaluation import Evaluation, is_wait
from celvet.lint.model import Value
from celvet.lint.repository.object_form import AppliedObject
from celvet.lint.repository.questions import ApparentObjects
from celvet.lint.repository.surroundings import Repository
from celvet.lint.values import group_kind_of, text_at
from celvet.lint.verdicts.inventory import inventory
from celvet.schemas import Catalog

_SHOWN = 3
"""The most declarations that a message names."""


class UnknownApplierError(ValueError):
    """Several declarations may apply the objects, and nothing says which one does."""

    def __init__(self, names: Sequence[str]) -> None:
        more = f" and {len(names) - _SHOWN} others" if len(names) > _SHOWN else ""
        super().__init__(", ".join(names[:_SHOWN]) + more)


def of_appliers(
    evaluations: Sequence[Evaluation], catalog: Catalog, repository: Repository
) -> list[Evaluation]:
    """The evaluations by what applies or names the objects.

    A live object applies what is in its inventory, any other one what the repository shows. If
    nothing here applies the objects, an entry for their kind speaks for a declaration. Raises
    `UnknownApplierError` if there are several without an entry.
    """
    waits = [item for item in evaluations if is_wait(item.answer.evaluator)]
    if len({id(item.declaration) for item in evaluations}) < 2:
        return [*evaluations]  # do not read a repository for one
    fates = [(item, _applies(item, catalog, repository)) for item in waits]
    evaluations_applied = [item for item, is_applied in fates if is_applied]
    if not evaluations_applied:
        evaluations_applied = _possible(fates, named=len(waits) < len(evaluations))
    left_out = {*map(id, waits)} - {*map(id, evaluations_applied)}
    return [item for item in evaluations if id(item) not in left_out]


def _possible(
    applied: Sequence[tuple[Evaluation, bool | None]], *, named: bool
) -> list[Evaluation]:
    """The evaluations by entries, else the only one that may apply the objects.

    Objects that another check has `named` need no one that may apply them.
    """
    possible = [item for item, is_applied in applied if is_applied is None]
    for candidates in (possible, [item for item, _ in applied]):
        if entries := [item for item in candidates if item.answer.expressions]:
            return entries
    if named:
        return []
    names = tuple(dict.fromkeys(item.object.title for item in possible))
    if len(names) > 1:
        raise UnknownApplierError(names)
    return possible


def _applies(item: Evaluation, catalog: Catalog, repository: Repository) -> bool | None:
    """Whether a declaration applies or lists one of the objects; None if nobody knows."""
    if item.declaration is None:
        return None
    value = item.declaration.value
    # A list of what was applied says more than the files, which may have changed since.
    if inventory(value) is not None:
        return True
    reference = item.object
    wait = waiting(value, catalog.find(reference.api_version, reference.kind))
    if not wait.everything:
        listed_objects = [
            obj for _, obj in wait.find_objects(item.answer.cluster.objects) if obj is not None
        ]
        if listed_objects:
            return True
    place, surroundings = item.declaration.place(()), repository.surroundings_of(item.file)
    answers = {
        _is_among(item.answer.cluster.objects, surroundings.ask(ApparentObjects(place, form)))
        for form in forms_of(item.declaration, surroundings)
    }
    return True if True in answers else None if None in answers or not answers else False


def _is_among(
    objects: Sequence[Value], applied_objects: frozenset[AppliedObject] | None
) -> bool | None:
    """Whether one of the objects is applied; None if the repository does not show it."""
    if applied_objects is None:
        return None
    names = {
        name
        for obj in objects
        for kind, name in applied_objects
        if group_kind_of(obj) == kind and name in ("", text_at(obj, ("metadata", "name")))
    }
    return None if names == {""} else bool(names)
