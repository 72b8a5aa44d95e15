"""Answers questions of the rules about the surrounding files; reads them on demand."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, TypeVar

from celvet.lint.model import ObjectRef, Path, Value, Where
from celvet.record import record

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import ObjectName, SourcePlace
    from celvet.lint.repository.index import Index
    from celvet.lint.repository.object_form import Applied, ObjectForm, Origin, Unset
    from celvet.lint.repository.questions import Questions

AnswerT = TypeVar("AnswerT")


@record(eq=False)
class Surroundings:
    """The questions of rules about the surrounding files; here, nothing is known."""

    def effective(self, value: dict[str, Value]) -> Sequence[ObjectForm]:
        """The forms in which an object of the file reaches the cluster, at least one."""
        from celvet.lint.kustomize.resource import Resource
        from celvet.lint.repository.object_form import ObjectForm

        return (ObjectForm(Resource(value)),)

    def cycle(self, form: ObjectForm, path: Path) -> Sequence[ObjectName]:
        """The dependencies at a path that lead from a form of an object back to it; else empty."""
        return ()

    def names_without(self, form: ObjectForm, name: ObjectName) -> Collection[ObjectName] | None:
        """The objects of its kind in the cluster of a form of an object, if none has a name.

        None if one may have it, or if the repository does not tell all of them.
        """
        return None

    def others_named(self, name: str) -> Mapping[ObjectRef, ObjectName]:
        """The applied objects of any kind that have a name, each with the one that applies it."""
        return {}

    def applied(self, form: ObjectForm) -> Collection[Applied] | None:
        """The objects that a form of an object applies.

        None if the repository does not tell all of them.
        """
        return None

    def seen(self, where: Where, form: ObjectForm) -> Collection[Applied] | None:
        """The objects that a form of an object seems to apply.

        None if they seem not to be in this repository.
        """
        return None

    def dependants(self, form: ObjectForm) -> Sequence[ObjectName]:
        """The objects that wait, by the built-in test, until a form of an object is ready."""
        return ()

    def unset(self, form: ObjectForm) -> Sequence[Unset]:
        """The variables that certainly have no value in what a form of an object applies."""
        return ()

    def variables(self, names: Sequence[str]) -> Mapping[str, str]:
        """The values of those of these variables for which all who apply the file have the same."""
        return {}

    def origins(self, names: Sequence[str]) -> Mapping[str, Origin]:
        """Who gives those of these variables a value that `variables` knows, and where."""
        return {}

    @property
    def patch_target(self) -> Mapping[str, str] | None:
        """The `kind` and `apiVersion` that the file is a patch for, if they are known.

        None of a file that is not a patch.
        """
        return None

    def line(self, place: SourcePlace) -> str:
        """A place of another file, as `flux/apps.yaml, line 12`."""
        return place.file

    def providers(self) -> tuple[Value, ...]:
        """The ResourceSetInputProviders from which the file may take inputs."""
        return ()

    def others(self) -> str:
        """A digest of the files around, as of when they were read; empty if they were not."""
        return ""

    @property
    def problems(self) -> Sequence[str]:
        """Why nothing was known; empty if something was."""
        return ()


NO_REPOSITORY = Surroundings()
"""No files around: an object is what it says it is."""


class RepositoryFile(Surroundings):
    """The surroundings of a file in a repository, given its name there.

    The `questions` are noted with their answers.
    """

    __slots__ = ("_asked", "_name", "_questions", "_repository")

    def __init__(
        self, repository: Repository, name: str, questions: Questions | None = None
    ) -> None:
        self._repository, self._name = repository, name
        self._questions = questions
        self._asked = False

    @property
    def _index(self) -> Index:
        self._asked = True
        return self._repository.index

    def _noted(self, answer: AnswerT, question: str, *given: object) -> AnswerT:
        if self._questions:
            self._questions.add(question, given, answer)
        return answer

    def effective(self, value: dict[str, Value]) -> Sequence[ObjectForm]:
        """See `Surroundings`."""
        return self._noted(self._index.forms.of(self._name, value), "effective", value)

    def cycle(self, form: ObjectForm, path: Path) -> Sequence[ObjectName]:
        """See `Surroundings`."""
        return self._noted(self._index.cycle(self._name, form, path), "cycle", form, path)

    def names_without(self, form: ObjectForm, name: ObjectName) -> Collection[ObjectName] | None:
        """See `Surroundings`."""
        found = self._index.names_without(self._name, form, name)
        return self._noted(found, "names_without", form, name)

    def others_named(self, name: str) -> Mapping[ObjectRef, ObjectName]:
        """See `Surroundings`."""
        return self._noted(self._index.others_named(name), "others_named", name)

    def applied(self, form: ObjectForm) -> Collection[Applied] | None:
        """See `Surroundings`."""
        return self._noted(self._index.applied(self._name, form), "applied", form)

    def seen(self, where: Where, form: ObjectForm) -> Collection[Applied] | None:
        """See `Surroundings`."""
        return self._noted(self._index.seen(self._name, where, form), "seen", where, form)

    def dependants(self, form: ObjectForm) -> Sequence[ObjectName]:
        """See `Surroundings`."""
        return self._noted(self._index.dependants(self._name, form), "dependants", form)

    def unset(self, form: ObjectForm) -> Sequence[Unset]:
        """See `Surroundings`."""
        return self._noted(self._index.unset(self._name, form), "unset", form)

    def variables(self, names: Sequence[str]) -> Mapping[str, str]:
        """See `Surroundings`."""
        return self._noted(self._index.given.of(self._name, names), "variables", names)

    def origins(self, names: Sequence[str]) -> Mapping[str, Origin]:
        """See `Surroundings`."""
        return self._noted(self._index.given.origins(self._name, names), "origins", names)

    @property
    def patch_target(self) -> Mapping[str, str] | None:
        """See `Surroundings`."""
        return self._noted(self._index.patch_targets.get(self._name), "patch_target")

    def line(self, place: SourcePlace) -> str:
        """See `Surroundings`."""
        return self._noted(self._index.line(place), "line", place)

    def providers(self) -> tuple[Value, ...]:
        """See `Surroundings`."""
        from celvet.lint.repository.providers import providers_among  # loads what reads files

        return self._noted(providers_among(self._index.files), "providers")

    def others(self) -> str:
        """See `Surroundings`."""
        return self._index.files.state(self._name) if self._asked else ""

    @property
    def problems(self) -> Sequence[str]:
        """See `Surroundings`."""
        if not self._asked:
            return ()
        problem = self._index.problem
        return self._noted([problem] if problem else (), "problems")


@record(eq=False)
class Templated(Surroundings):
    """The surroundings of an object of a ResourceSet; `around` are those of the ResourceSet.

    The operator applies it as built. If a parent may change the `template`, which is the
    ResourceSet, nothing is known about it.
    """

    around: Surroundings
    template: Mapping[str, Value]

    def effective(self, value: dict[str, Value]) -> Sequence[ObjectForm]:
        """See `Surroundings`."""
        from celvet.lint.kustomize.resource import Resource  # loads what follows patches
        from celvet.lint.repository.object_form import ObjectForm

        built = Resource(value)
        return [
            ObjectForm(built if form.keeps("spec", self.template) else built.not_known(()), form.by)
            for form in self.around.effective(dict(self.template))
        ]

    def cycle(self, form: ObjectForm, path: Path) -> Sequence[ObjectName]:
        """See `Surroundings`."""
        return self.around.cycle(form, path)

    def names_without(self, form: ObjectForm, name: ObjectName) -> Collection[ObjectName] | None:
        """See `Surroundings`."""
        return self.around.names_without(form, name)

    def others_named(self, name: str) -> Mapping[ObjectRef, ObjectName]:
        """See `Surroundings`."""
        return self.around.others_named(name)

    def applied(self, form: ObjectForm) -> Collection[Applied] | None:
        """See `Surroundings`."""
        return self.around.applied(form)

    def seen(self, where: Where, form: ObjectForm) -> Collection[Applied] | None:
        """See `Surroundings`."""
        return self.around.seen(where, form)

    def dependants(self, form: ObjectForm) -> Sequence[ObjectName]:
        """See `Surroundings`."""
        return self.around.dependants(form)

    def unset(self, form: ObjectForm) -> Sequence[Unset]:
        """See `Surroundings`."""
        return self.around.unset(form)

    def line(self, place: SourcePlace) -> str:
        """See `Surroundings`."""
        return self.around.line(place)

    def providers(self) -> tuple[Value, ...]:
        """See `Surroundings`."""
        return self.around.providers()


@record
class Repository:
    """A repository, given its root directory; the index is made on demand, once per process.

    Small and picklable, so that it can be sent to other processes.
    """

    root: FilePath

    def around(self, file: str, questions: Questions | None = None) -> Surroundings:
        """The surroundings of a file, which note what they are asked."""
        name = self.name(file)
        return RepositoryFile(self, name, questions) if name else NO_REPOSITORY

    @property
    def state(self) -> str:
        """A digest of the names and contents of its files, at the time of the first call."""
        from celvet.lint.repository.files import files_of  # loads less than the index

        return files_of(self.root).state()

    @property
    def index(self) -> Index:
        """The index of the files, at the time of the first call."""
        from celvet.lint.repository.index import index_of

        return index_of(self.root)

    def name(self, file: str) -> str:
        """The name of a file in the repository, with slashes; empty for one outside."""
        path, root = os.path.abspath(file), os.path.join(self.root, "")  # noqa: PTH100, PTH118
        return path[len(root) :].replace(os.sep, "/") if path.startswith(root) else ""


def forget() -> None:
    """Forget all repositories, because files have changed."""
    from celvet.lint.discovery.discover import plainly_below
    from celvet.lint.repository.files import files_of
    from celvet.lint.repository.index import index_of

    plainly_below.cache_clear()
    files_of.cache_clear()
    index_of.cache_clear()
