"""What becomes of the objects that a list names, if `wait` makes the controller ignore the list."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.waiting import drops_list
from celvet.lint.model import Value
from celvet.lint.repository.dependencies import dependencies
from celvet.lint.repository.questions import ApparentObjects, AppliedObjects, ObjectsNamed
from celvet.lint.values import group_kind_of, list_at, text_at
from celvet.schemas.applier import applier
from celvet.schemas.kind_files import is_made_by_others

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import ObjectName
    from celvet.lint.repository.object_form import AppliedObject, ObjectForm


class Fate(Enum):
    """What becomes of a listed object."""

    APPLIED = "it is applied, and so waited for"
    MADE = "something that is waited for may create it"
    UNKNOWN = "the repository does not show it"
    LOST = "it is not waited for"


class ListedObject(NamedTuple):
    """An object of the list; `maker` is what creates it, or may, empty if nothing is known to."""

    value: Value
    fate: Fate
    maker: str = ""

    @property
    def title(self) -> str:
        """The kind and name of the object."""
        return f"{text_at(self.value, ('kind',))} `{text_at(self.value, ('name',))}`"


def ignored_objects(checked: CheckedObject) -> list[ListedObject]:
    """The objects of a list that no form of the declaration uses; empty if one uses it."""
    values = list_at(checked.value, checked.kind.waited_list if checked.kind else ())
    forms = checked.forms() if values and checked.kind else ()
    is_dropped = forms and all(drops_list(checked.kind, form.resource) for form in forms)
    return [_item(checked, value) for value in values] if is_dropped else []


def _item(checked: CheckedObject, value: Value) -> ListedObject:
    """A listed object, with the best fate that it has in any form."""
    fates = [_fate(checked, value, form) for form in checked.forms()]
    order = [*Fate]
    return min(fates, key=lambda item: order.index(item.fate))


def _fate(checked: CheckedObject, value: Value, form: ObjectForm) -> ListedObject:
    kind, name = group_kind_of(value), text_at(value, ("name",))
    apparent_objects = checked.surroundings.ask(ApparentObjects(checked.place(()), form))
    if apparent_objects is not None and (kind, name) in apparent_objects:
        return ListedObject(value, Fate.APPLIED)
    applied_objects = checked.surroundings.ask(AppliedObjects(form))
    if applied_objects is None or any(_may_be(value, resource) for resource in applied_objects):
        return ListedObject(value, Fate.UNKNOWN)
    if dependency := _applying_dependency(checked, value, form):
        title = f"{checked.object.group_kind.kind} `{dependency.name}`"
        return ListedObject(value, Fate.LOST, title)
    from celvet.lint.rules.shared.makers import waited_makers  # few lists need a closer look

    waited = waited_makers(checked, form, [*applied_objects])
    makers = [maker for maker in waited if maker.may_make(kind)]
    if makers:
        maker = max(makers, key=lambda maker: maker.likeliness(name))
        is_likely = any(maker.likeliness(name))  # a policy may create anything, and rarely does
        return ListedObject(value, Fate.MADE, maker.title if is_likely else "")
    is_derived = is_made_by_others(kind.group, kind.kind)
    return ListedObject(value, Fate.UNKNOWN if is_derived else Fate.LOST)


def _applying_dependency(
    checked: CheckedObject, item: Value, form: ObjectForm
) -> ObjectName | None:
    """The dependency that applies a listed object, so that nothing here creates it."""
    applying_kind = applier(checked.kind.group, checked.kind.kind) if checked.kind else None
    path = applying_kind.dependencies if applying_kind else ()
    names = {*dependencies(form.resource, path)} if path else set()
    objects = checked.surroundings.ask(ObjectsNamed(text_at(item, ("name",)))) if names else {}
    namesakes = (by for ref, by in objects.items() if ref.group_kind == group_kind_of(item))
    return next((by for by in namesakes if by in names), None)


def _may_be(item: Value, resource: AppliedObject) -> bool:
    """Whether a reference may name an object; a name with an unresolved variable may be any."""
    name = text_at(item, ("name",))
    same_name = name == resource.name or not resource.name or "${" in name
    return same_name and group_kind_of(item) == resource.kind
