"""The forms in which the objects of a repository reach the cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from celvet.lint.kustomize.resource import Resource
from celvet.lint.manifest.objects.held import holds_text
from celvet.lint.model import GroupKind, Value
from celvet.lint.repository.answers.given_variables import GivenVariables
from celvet.lint.repository.applications import Applications
from celvet.lint.repository.files import Files
from celvet.lint.repository.instance import Instance
from celvet.lint.repository.object_form import ObjectForm
from celvet.lint.repository.refusals.search import RefusalSearch
from celvet.lint.repository.variables.substitution import variable_paths
from celvet.lint.values import group_kind_of

_MOST_KEPT = 1_024
"""Objects whose forms are kept: one is asked for by its own rules and by those of others."""


class Forms:
    """The effective forms of objects, one for each application of their file."""

    def __init__(
        self,
        files: Files,
        applications: Applications,
        variables: GivenVariables,
        refusals: RefusalSearch,
    ) -> None:
        self._files, self._applications = files, applications
        self._variables, self._refusals = variables, refusals
        self._cached_forms = lru_cache(maxsize=_MOST_KEPT)(self._build_forms)

    def of(self, file: str, value: dict[str, Value]) -> Sequence[ObjectForm]:
        """The forms of an object, at least one."""
        is_applied = self._applications.is_applied(file)
        return self._of_written(
            file, self._variables.as_written(file, value) if is_applied else value
        )

    def _of_written(self, file: str, value: dict[str, Value]) -> Sequence[ObjectForm]:
        forms = self._cached_forms(_ObjectKey(file, value))
        return forms or (ObjectForm(Resource(value).with_unknown(())),)

    def of_kind(self, kind: GroupKind, *words: str) -> Iterator[ObjectForm]:
        """The forms of the objects of a kind, in files that have all these words as they are.

        Those whose path has them too come first: a file is often called like its object.
        """
        encoded_words = (word.encode(errors="replace") for word in (kind.group, *words))
        files = self._files.files_with_all(*encoded_words)
        for file in sorted(files, key=lambda file: (any(word not in file for word in words), file)):
            for obj in self._files.objects(file):
                if group_kind_of(obj.value) == kind:
                    yield from self._of_written(file, obj.value)

    def _build_forms(self, key: _ObjectKey) -> Sequence[ObjectForm]:
        file, value = key.file, key.value
        forms = []
        for application in self._applications.of(file):
            by, resource = application.by, self._applications.transform(application, value)
            if resource is None:
                continue
            if not self._is_certain(by, file):
                resource = resource.with_unknown(())
            if by and holds_text(value, "${") and not self._variables.keeps_sources(by):
                resource = resource.with_unknown(*variable_paths(value))
            forms.append(ObjectForm(resource, by))
        return forms

    def _is_certain(self, by: Instance | None, file: str) -> bool:
        """Whether it is applied, and nothing else may change what is applied like this."""
        if by is None:
            return not self._applications.may_be_applied(file)
        return self._variables.is_certain(by) and not self._refusals.of(by)


class _ObjectKey:
    """An object of a file; one with an equal text is another, since an editor may have it newer."""

    __slots__ = ("_parts", "file", "value")

    def __init__(self, file: str, value: dict[str, Value]) -> None:
        self.file, self.value = file, value
        self._parts = (file, *value, *map(id, value.values()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ObjectKey) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self._parts)
