"""The effective forms of an object, one for each path on which it reaches the cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from celvet.lint.model import GroupKind, Value
from celvet.record import record

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import Resource, SourcePlace
    from celvet.lint.repository.instance import Instance


@record
class ObjectForm:
    """An object as the cluster gets it in one of its applications.

    `by` is what applies it; None if nothing in the repository does.
    """

    resource: Resource
    by: Instance | None = None

    def keeps(self, field: str, value: Mapping[str, Value]) -> bool:
        """Whether a field certainly has the written value."""
        return self.resource.knows(field) and self.resource.value.get(field) == value.get(field)


class AppliedObject(NamedTuple):
    """An object that another one applies; `name` is empty if the repository does not show it."""

    kind: GroupKind
    name: str


class VariableOrigin(NamedTuple):
    """Who gives a variable its value, and the place of that."""

    by: str
    place: SourcePlace


class UnsetVariable(NamedTuple):
    """A variable that has neither a value nor a default, and a place that reads it."""

    name: str
    place: SourcePlace


class BuildFailure(NamedTuple):
    """Why a build fails, with advice, and the places that are at fault.

    With `absent`, something is not in the repository that another source may have. Nothing applies
    what is `left_out` of the build of a directory around it.
    """

    reason: str
    help: str
    places: tuple[SourcePlace, ...]
    absent: bool = False
    left_out: bool = False
