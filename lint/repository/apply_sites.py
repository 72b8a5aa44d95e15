"""Finds the directory that an instance's path names, and builds it."""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property, lru_cache, partial
from itertools import islice, takewhile

from celvet.lint.kustomize.fields import Fields, Transformer
from celvet.lint.kustomize.resource import SourcePlace, TextDocument
from celvet.lint.kustomize.transformers import add_metadata
from celvet.lint.model import Path
from celvet.lint.repository.builds.build import Build, forget_object
from celvet.lint.repository.builds.builder import KustomizationBuilder, kustomization_fields
from celvet.lint.repository.files import Files
from celvet.lint.repository.instance import MERGED, Instance, knows_merged_fields, merged_fields
from celvet.lint.repository.sources import (
    PLACEHOLDER,
    PLACEHOLDERS,
    bootstrap,
    has_this_source,
    is_elsewhere,
    pattern_of,
    source,
)
from celvet.lint.repository.variables.post_build import variables
from celvet.lint.repository.variables.substitution import substitute_variables
from celvet.lint.values import get, mapping_at, text_at

_MOST_BUILDS = 1_024
"""Builds that are kept; an editor makes a new instance with each change."""


class ApplySites:
    """The directories of a repository, as instances apply them.

    `uncertain` are the directories that an instance may apply and change, without the repository
    showing it for certain.
    """

    def __init__(self, files: Files, builder: KustomizationBuilder) -> None:
        self._files, self._builder = files, builder
        self.build = lru_cache(maxsize=_MOST_BUILDS)(self._build)
        self.uncertain: set[str] = set()

    def directory(self, instance: Instance) -> str | None:
        """The directory that an instance applies; None if it is not in this repository."""
        path = instance.kind.path
        resource = instance.resource
        text = text_at(resource.value, path)
        # A path that a parent may change, or that has variables, may still lead to a single
        # directory.
        if not resource.knows(*path) or PLACEHOLDER.search(text):
            return self._matching_directory(instance, text)
        name = _normal(text)
        # source-controller unpacks the artifact into a directory of its own, and Flux refuses a
        # path that leaves it.
        if name.startswith("..") or is_elsewhere(instance, self._files):
            return None
        if not name:
            return "" if has_this_source(instance, self._files) else None
        if self._files.is_directory(name):
            return name
        # the source may be a directory of this repository, and the path count from there
        directories = self._directories_ending(name)
        if len(directories) == 1:
            return directories[0]
        self._mark_uncertain(instance, directories)
        return None

    def _matching_directory(self, instance: Instance, text: str) -> str | None:
        """The only directory to which a path with placeholders leads, whatever their values are.

        With any other values, the path leads nowhere.
        """
        if is_elsewhere(instance, self._files):
            return None
        is_known = instance.resource.knows(*instance.kind.path)
        parts = PLACEHOLDERS.split(_normal(text)) if is_known else []
        if len(parts) > 1 and any(part.strip("/") for part in parts):
            pattern = pattern_of(parts)
            matches = [name for name in self._files.directories() if pattern.fullmatch(name)]
            if len(matches) == 1:
                return matches[0]
        self._mark_uncertain(instance, self.possible_directories(text) if is_known else [""])
        return None

    def possible_directories(self, text: str) -> list[str]:
        """The directories that a path with placeholders may mean."""
        name = _normal(PLACEHOLDER.split(text)[0].rpartition("/")[0])
        return [name] if self._files.is_directory(name) else self._directories_ending(name)

    def _directories_ending(self, name: str) -> list[str]:
        """The directories whose names end in a slash and this one."""
        end = f"/{name}"[::-1]
        later_names = islice(self._reversed_names, bisect_left(self._reversed_names, end), None)
        return [name[::-1] for name in takewhile(lambda name: name.startswith(end), later_names)]

    @cached_property
    def _reversed_names(self) -> list[str]:
        """The reversed names of the directories, so that equal ends are adjacent."""
        return sorted(name[::-1] for name in self._files.directories())

    def _mark_uncertain(self, instance: Instance, directories: Iterable[str]) -> None:
        """Record where an instance may apply something and change it.

        What is part of a refused build applies nothing.
        """
        if instance.by and self._is_refused(instance.by):
            return
        kind, value = instance.kind, instance.resource.value
        merging_fields = {*mapping_at(value, kind.kustomization)} & {*MERGED}
        paths = (kind.namespace, kind.metadata, kind.variables)
        if merging_fields or instance.resource.unknown or any(get(value, path) for path in paths):
            self.uncertain.update(directories)

    def _is_refused(self, instance: Instance) -> bool:
        directory = self.directory(instance)
        return directory is not None and self.build(instance, directory).refusal is not None

    def certain_build(self, instance: Instance) -> Build | None:
        """The build of the directory that an instance applies, if that is certainly here."""
        sources = {source(ancestor) for ancestor in instance.chain}
        is_certain = not instance.resource.unknown and len(sources) == 1
        if not is_certain or not bootstrap(instance.root, self._files):
            return None
        return self.apparent_build(instance)

    def apparent_build(self, instance: Instance) -> Build | None:
        """The build of the directory that an instance applies, if that seems to be here.

        The path has to lead to a directory from the root of this repository.
        """
        directory = self.directory(instance)
        exact = directory == text_at(instance.resource.value, instance.kind.path).strip("./")
        if directory is None or not (exact and has_this_source(instance, self._files)):
            return None
        return self.build(instance, directory)

    def _build(self, instance: Instance, directory: str) -> Build:
        """The build of a directory by an instance."""
        return self._builder.build(directory, self._overlay(instance, directory))

    def _overlay(self, instance: Instance, directory: str) -> Fields:
        kind, resource = instance.kind, instance.resource

        def at(path: Path) -> SourcePlace:
            own_path = kind.namespace if path == ("namespace",) else (*kind.kustomization, *path)
            return resource.last_writer(*own_path) or instance.file_object.at(own_path)

        return kustomization_fields(
            self._files, directory, TextDocument(merged_fields(instance), at)
        )

    def transformers_after(self, instance: Instance) -> tuple[Transformer, ...]:
        """The changes to an object after its build: variables, then common metadata."""
        kind, resource = instance.kind, instance.resource
        changes: list[Transformer] = []
        if not (knows_merged_fields(instance) and resource.knows(*kind.metadata)):
            changes.append(forget_object)
        changes += self.substitution(instance)
        for field in ("labels", "annotations"):
            if pairs := mapping_at(resource.value, (*kind.metadata, field)):
                place = instance.file_object.at((*kind.metadata, field))
                changes.append(add_metadata(field, pairs, place))
        return tuple(changes)

    def substitution(self, instance: Instance) -> tuple[Transformer, ...]:
        """The replacement of the variables of an instance, if it has any."""
        instance_variables = variables(instance.resource, instance.kind.variables, self._files)
        if instance_variables is None:
            return ()
        return (partial(substitute_variables, variables=instance_variables),)


def _normal(path: str) -> str:
    """The name of a directory as the files have it; empty for the root."""
    return posixpath.normpath(path.lstrip("/")) if path.strip("./") else ""
