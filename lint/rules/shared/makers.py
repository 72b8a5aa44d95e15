"""The objects that an object waits for, and that may create further ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from celvet.lint.checks import CheckedObject, check_value
from celvet.lint.checks.waiting import among, waiting
from celvet.lint.controllers.kstatus.misjudged import existence_only
from celvet.lint.model import GroupKind
from celvet.lint.repository.questions import ApparentResources
from celvet.lint.values import object_ref_of
from celvet.record import record
from celvet.schemas import kind_facts, load
from celvet.schemas.kind_files import BUILT_IN_GROUPS

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import Resource
    from celvet.lint.repository.object_form import AppliedObject, ObjectForm
    from celvet.schemas import Kind


@record
class ObjectMaker:
    """An applied object that may create others; `kinds` are theirs, None if they may be any.

    One that `applies` objects has no other purpose.
    """

    name: str
    kind: GroupKind
    kinds: frozenset[str] | None
    applies: bool

    @property
    def title(self) -> str:
        """Kind and name, as messages have them."""
        return f"{self.kind.kind} `{self.name}`"

    def likeliness(self, name: str) -> tuple[bool, bool, bool]:
        """How likely it is that the maker of an object with a name is this one."""
        return self.name == name, self.kinds is not None, self.applies

    def may_make(self, kind: GroupKind) -> bool:
        """Whether it may create objects of a kind; no controller creates copies of its object."""
        return kind != self.kind and (self.kinds is None or str(kind) in self.kinds)


def waited_makers(
    checked: CheckedObject, form: ObjectForm, applied_objects: Sequence[AppliedObject]
) -> Iterator[ObjectMaker]:
    """The makers among what a form applies and waits for until they are done."""
    kinds = {obj.kind for obj in applied_objects if obj.kind.group not in BUILT_IN_GROUPS}
    whole_object = check_value(dict(form.resource.value), load(checked.directories))
    entry_kinds = [entry.named for entry in whole_object.health()]
    judged_kinds = [
        str(kind)
        for kind in sorted(kinds, key=str)
        if not existence_only(kind, checked.directories)
        or any(among(entry_kind, [kind]) for entry_kind in entry_kinds)
    ]
    question = ApparentResources(checked.place(()), form, judged_kinds)
    for resource in checked.surroundings.ask(question):
        reference = object_ref_of(resource.value)
        facts = kind_facts(reference.group_kind.group, reference.kind, checked.directories)
        products = facts.content.get("makes") if facts else None
        product_kinds = frozenset(products["kinds"]) if products else None
        kind = load(checked.directories).find(reference.api_version, reference.kind)
        if product_kinds != frozenset() and _waits(resource, kind):
            yield ObjectMaker(reference.name, reference.group_kind, product_kinds, kind is not None)


def _waits(resource: Resource, kind: Kind | None) -> bool:
    """Whether an object that applies others may wait for some of them; so do all other objects."""
    waits_for = waiting(resource.value, kind)
    is_known = all(resource.knows(*path) for path in waits_for.paths)
    return waits_for.everything or bool(waits_for.listed_objects) or not is_known
