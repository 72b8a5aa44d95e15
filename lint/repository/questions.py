"""The questions of rules about the files around one, each with the type of its answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from celvet.lint.model import ObjectRef, Path, Value, Where
from celvet.lint.values import get
from celvet.record import record

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import ObjectName, Resource, SourcePlace
    from celvet.lint.repository.index import Index
    from celvet.lint.repository.instance import Instance
    from celvet.lint.repository.object_form import (
        AppliedObject,
        BuildFailure,
        ObjectForm,
        UnsetVariable,
        VariableOrigin,
    )

AnswerT = TypeVar("AnswerT")


class QuestionHandler(Protocol):
    """What answers questions: the surroundings of a file."""

    def ask(self, question: Question[AnswerT]) -> AnswerT:
        """The answer to a question."""


class Question(ABC, Generic[AnswerT]):
    """A question about the files around one, for `Surroundings.ask`.

    A question without a default or an answer cannot be made, so nothing is answered by accident.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def default(self) -> AnswerT:
        """The answer if no repository is known."""

    @abstractmethod
    def answer(self, index: Index, file: str) -> AnswerT:
        """The answer for a file of a repository, by its name there."""

    def answer_in_template(self, outer: QuestionHandler, template: Mapping[str, Value]) -> AnswerT:
        """The answer for an object of a ResourceSet, given the ResourceSet and its surroundings."""
        return outer.ask(self)

    def digest_text(self, answer: AnswerT) -> str:
        """All of an answer that can decide about a result, the same in each process."""
        return _sorted_text(answer) if isinstance(answer, frozenset) else repr(answer)


@record
class ObjectForms(Question["Sequence[ObjectForm]"]):
    """The forms in which an object of the file reaches the cluster, at least one.

    The operator applies an object of a ResourceSet as built. If a parent may change the template,
    nothing is known about the object.
    """

    value: dict[str, Value]

    @property
    def default(self) -> Sequence[ObjectForm]:
        from celvet.lint.kustomize.resource import Resource  # loads what follows patches
        from celvet.lint.repository.object_form import ObjectForm

        return (ObjectForm(Resource(self.value)),)

    def answer(self, index: Index, file: str) -> Sequence[ObjectForm]:
        return index.forms.of(file, self.value)

    def answer_in_template(
        self, outer: QuestionHandler, template: Mapping[str, Value]
    ) -> Sequence[ObjectForm]:
        from celvet.lint.kustomize.resource import Resource  # loads what follows patches
        from celvet.lint.repository.object_form import ObjectForm

        certain, uncertain = Resource(self.value), Resource(self.value).with_unknown(())
        return [
            ObjectForm(certain if form.keeps("spec", template) else uncertain, form.by)
            for form in outer.ask(ObjectForms(dict(template)))
        ]

    def digest_text(self, answer: Sequence[ObjectForm]) -> str:
        # of who applies an object, the rules see nothing: they only ask further about it
        return repr([(form.resource, [*_chain_names(form.by)]) for form in answer])


@record
class DependencyCycle(Question["Sequence[ObjectName]"]):
    """The dependencies at a path that lead from a form of an object back to it; else empty."""

    form: ObjectForm
    path: Path
    default = ()

    def answer(self, index: Index, file: str) -> Sequence[ObjectName]:
        return index.dependency_cycle(file, self.form, self.path)


@record
class NamesWithout(Question["Collection[ObjectName] | None"]):
    """The objects of its kind in the cluster of a form of an object, if none has a name.

    None if one may have it, or if the repository does not show all of them.
    """

    form: ObjectForm
    name: ObjectName
    default = None

    def answer(self, index: Index, file: str) -> Collection[ObjectName] | None:
        return index.names_without(file, self.form, self.name)


@record
class ObjectsNamed(Question["Mapping[ObjectRef, ObjectName]"]):
    """The applied objects of any kind that have a name, each with the one that applies it."""

    name: str
    default = MappingProxyType({})

    def answer(self, index: Index, file: str) -> Mapping[ObjectRef, ObjectName]:
        return index.objects_named(self.name)


@record
class AppliedObjects(Question["frozenset[AppliedObject] | None"]):
    """The objects that a form of an object applies.

    None if the repository does not show all of them.
    """

    form: ObjectForm
    default = None

    def answer(self, index: Index, file: str) -> frozenset[AppliedObject] | None:
        return index.all_objects(file, self.form) if index.is_one else None


@record
class SeeminglyApplied(Question["frozenset[AppliedObject] | None"]):
    """The objects that a form seems to apply, if the files may be of several repositories.

    None if they are of one, or if they do not show all of the objects.
    """

    form: ObjectForm
    default = None

    def answer(self, index: Index, file: str) -> frozenset[AppliedObject] | None:
        return None if index.is_one else index.all_objects(file, self.form)


@record
class AppliesUncertainly(Question[bool]):
    """Whether the object at a place seems to apply files, without git to make it sure."""

    where: Where
    value: dict[str, Value]
    default = False

    def answer(self, index: Index, file: str) -> bool:
        return index.applies_uncertainly(file, self.where, self.value)


@record
class ApparentObjects(Question["frozenset[AppliedObject] | None"]):
    """The objects that a form of the object at a place seems to apply.

    None if they seem not to be in this repository.
    """

    where: Where
    form: ObjectForm
    default = None

    def answer(self, index: Index, file: str) -> frozenset[AppliedObject] | None:
        return index.apparent_objects(file, self.where, self.form)

    def answer_in_template(
        self, outer: QuestionHandler, template: Mapping[str, Value]
    ) -> frozenset[AppliedObject] | None:
        # the ResourceSet may also contain the source of an object that nothing here applies
        return outer.ask(self) if self.form.by else None


@record
class ApparentResources(Question["Sequence[Resource]"]):
    """The objects of some kinds that a form of the object at a place seems to apply, in full.

    The kinds are written as `Certificate.cert-manager.io`.
    """

    where: Where
    form: ObjectForm
    kinds: Sequence[str]
    default = ()

    def answer(self, index: Index, file: str) -> Sequence[Resource]:
        return index.apparent_resources(file, self.where, self.form, self.kinds)

    def answer_in_template(
        self, outer: QuestionHandler, template: Mapping[str, Value]
    ) -> Sequence[Resource]:
        return outer.ask(self) if self.form.by else ()

    def digest_text(self, answer: Sequence[Resource]) -> str:
        return repr([(resource.value, resource.unknown) for resource in answer])


@record
class Dependants(Question["Sequence[ObjectName]"]):
    """The objects that wait, by the built-in test, until a form of an object is ready."""

    form: ObjectForm
    default = ()

    def answer(self, index: Index, file: str) -> Sequence[ObjectName]:
        start = index.instance(file, self.form)
        return index.clusters.dependants(start) if start else ()


@record
class Peers(Question["Sequence[tuple[Resource, int]]"]):
    """The objects beside a form, and the form itself, on which others depend, and how many do.

    Those on which most depend come first. Only these `fields` of their values may be read.
    """

    form: ObjectForm
    fields: Sequence[Path]
    default = ()

    def answer(self, index: Index, file: str) -> Sequence[tuple[Resource, int]]:
        start = index.instance(file, self.form)
        return index.clusters.peers(start) if start else ()

    def digest_text(self, answer: Sequence[tuple[Resource, int]]) -> str:
        return repr(
            [
                (resource.identity, count, resource.unknown, self._values(resource))
                for resource, count in answer
            ]
        )

    def _values(self, resource: Resource) -> Sequence[object]:
        return [get(resource.value, path) for path in self.fields]


@record
class UnsetVariables(Question["Sequence[UnsetVariable]"]):
    """The variables that certainly have no value in what a form of an object applies."""

    form: ObjectForm
    default = ()

    def answer(self, index: Index, file: str) -> Sequence[UnsetVariable]:
        start = index.instance(file, self.form)
        return index.unset.of(start) if start and start.by and index.is_one else ()


@record
class BuildRefusal(Question["BuildFailure | None"]):
    """Why kustomize or Flux certainly builds nothing of what a form of an object applies."""

    form: ObjectForm
    default = None

    def answer(self, index: Index, file: str) -> BuildFailure | None:
        return index.build_refusal(file, self.form)


@record
class VariableValues(Question["Mapping[str, str]"]):
    """The values of those of these variables for which all who apply the file have the same."""

    names: Sequence[str]
    default = MappingProxyType({})

    def answer(self, index: Index, file: str) -> Mapping[str, str]:
        return index.variables.of(file, self.names)


@record
class VariableOrigins(Question["Mapping[str, VariableOrigin]"]):
    """Who gives those of these variables a value that `VariableValues` knows, and where."""

    names: Sequence[str]
    default = MappingProxyType({})

    def answer(self, index: Index, file: str) -> Mapping[str, VariableOrigin]:
        return index.variables.origins(file, self.names)


@record
class PatchTarget(Question["Mapping[str, str] | None"]):
    """The `kind` and `apiVersion` that the file is a patch for, if they are known.

    None for a file that is not a patch.
    """

    default = None

    def answer(self, index: Index, file: str) -> Mapping[str, str] | None:
        return index.patch_targets.get(file)


@record
class PlaceLabel(Question[str]):
    """A place of another file, as `flux/apps.yaml, line 12`."""

    place: SourcePlace

    @property
    def default(self) -> str:
        return self.place.file

    def answer(self, index: Index, file: str) -> str:
        return index.place_label(self.place)


@record
class InputProviders(Question["tuple[Value, ...]"]):
    """The ResourceSetInputProviders from which the file may take inputs."""

    default = ()

    def answer(self, index: Index, file: str) -> tuple[Value, ...]:
        from celvet.lint.repository.providers import providers_among  # loads what reads files

        return providers_among(index.files)


@record
class IndexProblems(Question["Sequence[str]"]):
    """Why the repository answers no other question; empty if it does."""

    default = ()

    def answer(self, index: Index, file: str) -> Sequence[str]:
        return (index.problem,) if index.problem else ()


def _chain_names(by: Instance | None) -> Iterator[object]:
    for instance in by.chain if by else ():
        yield instance.file_object.place, instance.resource.identity


@lru_cache(maxsize=64)
def _sorted_text(answer: frozenset[object]) -> str:
    """The names in a cluster, about which many files ask."""
    return repr(sorted(map(repr, answer)))
