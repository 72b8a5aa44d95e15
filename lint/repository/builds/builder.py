"""Builds the directories of a repository, as kustomize and Flux do.

Mirrors `accumulateTarget` of kustomize 5.8, and `scanManifests` of fluxcd/pkg/kustomize: without a
kustomization, the YAML files of a directory and those below it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.kustomize.fields import Fields, Transformer
from celvet.lint.kustomize.generators import generators
from celvet.lint.kustomize.patches import may_be_refused
from celvet.lint.kustomize.resource import Resource, TextDocument
from celvet.lint.kustomize.transformers import Objects, transformers, transforms
from celvet.lint.model import Path, Value
from celvet.lint.repository.builds.accumulation import (
    REMOTE,
    absent_file,
    component_refusal,
    resource_refusal,
)
from celvet.lint.repository.builds.build import Build, Entry, TransformerGroup, transform
from celvet.lint.repository.builds.readings import misread_inclusion, misread_kustomization
from celvet.lint.repository.documents import text_documents
from celvet.lint.repository.files import Files
from celvet.lint.values import list_at, mapping_at
from celvet.record import replace
from celvet.regex import regex

_REMOTE_FILE = regex(r"https?://[^?#]*\.(ya?ml|json)([?#]|$)")
"""The remote names of files; all others may be names of directories."""

_MERGING = ("patches", "patchesJson6902", "patchesStrategicMerge", "replicas")
"""The fields that may name an object that has to be there, or may be no patches."""

IGNORES_MISSING = "ignoreMissingComponents"
"""The field of Flux that leaves out components that do not exist."""

_MOST_NESTED = 100
"""The longest chain of directories that name each other; beyond, a build is not complete."""
_MOST_CONFIGURING = 20
"""The longest chain of directories in which one has the transformers of another."""


class KustomizationBuilder:
    """Builds directories of a repository; caches builds without an overlay."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._plain_builds: dict[str, Build] = {}
        self._accumulations: dict[str, tuple[Fields | None, Build]] = {}
        self._building: set[str] = set()
        self._depth = 0
        self.included_directories: set[str] = set()
        """The directories that another one includes."""

    def build(self, directory: str, overlay: Fields | None = None) -> Build:
        """The build of a directory; `overlay` has the fields that Flux merges into it."""
        if overlay is None and directory in self._plain_builds:
            return self._plain_builds[directory]
        if directory in self._building or len(self._building) > _MOST_NESTED:
            return Build(complete=False)  # kustomize refuses a cycle
        self._building.add(directory)
        try:
            build = self._build_layers(directory, overlay)
        except KustomizeError:
            # Of a kustomization that cannot be followed, the files below it are known, but not what
            # becomes of their objects.
            build = self._scan(directory).forgotten()
        finally:
            self._building.discard(directory)
        if refusal := build.refusal or misread_kustomization(self._files, directory):
            build = build.forgotten(refusal)
        if overlay is None:
            self._plain_builds[directory] = build
        return build

    def _build_layers(self, directory: str, overlay: Fields | None) -> Build:
        # Flux builds one directory once for each Kustomization, with other fields merged into its
        # kustomization: what precedes the transformers is the same in all of these builds.
        if directory not in self._accumulations:
            self._accumulations[directory] = self._accumulate(directory)
        own_fields, build = self._accumulations[directory]
        if overlay:
            build = self._with_components(build, directory, overlay)
        layers = [fields for fields in (own_fields, overlay) if fields]
        return self._with_transformers(build, layers)

    def _with_transformers(self, build: Build, layers: Sequence[Fields]) -> Build:
        if not transforms(layers) and build.followable:
            return build
        # Transformers that follow references (name prefixes, replacements) see all objects of the
        # build so far, so they are made only when one of its objects is asked for.
        make = partial(transformers, layers, self._objects(build), build.configurations)
        # A patch without a target, or one whose target is missing, fails the build. Whether it does
        # depends on the objects, so `refusals` looks at these layers later.
        patches = any(map(may_be_refused, layers))
        merges = any(fields.value.get(name) for fields in layers for name in _MERGING)
        merging = ((layers, self._objects(build)),) if merges else ()
        added_generators = tuple((item, build) for fields in layers for item in generators(fields))
        build = replace(
            build,
            patched=build.patched or patches,
            merging=(*build.merging, *merging),
            generators=(*build.generators, *added_generators),
        )
        return build.with_transformers(TransformerGroup(make))

    def _accumulate(self, directory: str) -> tuple[Fields | None, Build]:
        """The objects that a directory's transformers see, with or without an overlay."""
        own_fields = self._fields(directory)
        if own_fields is None:
            return None, self._scan(directory)
        return own_fields, self._with_components(
            self._resources(directory, own_fields), directory, own_fields
        )

    def _with_components(self, build: Build, directory: str, layer: Fields) -> Build:
        ignores_missing = layer.value.get(IGNORES_MISSING) is True
        for index, name in enumerate(list_at(layer.value, ("components",))):
            # Components are applied in order, each to all before it: an unknown one leaves nothing
            # known.
            if REMOTE.match(str(name)) or "${" in str(name):
                raise KustomizeError(f"{name} is not in the repository")
            target = join_path(directory, name)
            place = layer.at(("components", index))
            refusal = component_refusal(self._files, target, place, within=self._building)
            if not refusal:
                build = self._with_component(build, target)
            elif not (refusal.absent and ignores_missing):
                build = replace(build, refusal=build.refusal or refusal)
        return build

    def _with_component(self, build: Build, directory: str) -> Build:
        """A component's transformers see what was accumulated before it."""
        self.included_directories.add(directory)
        own_fields = self._fields(directory)
        if own_fields is None or directory in self._building:
            raise KustomizeError(f"{directory} is not a component")
        self._building.add(directory)
        try:
            # kustomize hands the accumulator on to the component (`accumulateComponents`), so its
            # transformers also change the objects of its parent.
            component = replace(build, entries=list(build.entries))
            component.add(self._resources(directory, own_fields))
            component = self._with_components(component, directory, own_fields)
        finally:
            self._building.discard(directory)
        return self._with_transformers(component, [own_fields])

    def _objects(self, build: Build) -> Objects:
        """The objects of a build after further transformers, computed on first use."""

        def objects(further: Sequence[Transformer]) -> Iterator[Resource]:
            for entry in build.entries:
                for obj in self._files.objects(entry.file):
                    if resource := transform(obj.value, (*entry.passes, further)):
                        yield resource

        return objects

    def _resources(self, directory: str, own_fields: Fields) -> Build:
        build = Build(refusal=absent_file(self._files, directory, own_fields))
        for path, name in (
            ((field_name, index), name)
            for field_name in ("resources", "bases")
            for index, name in enumerate(list_at(own_fields.value, (field_name,)))
        ):
            if not isinstance(name, str) or REMOTE.match(name) or "${" in name:
                build.complete = False
                build.remote |= not _REMOTE_FILE.match(str(name))
                continue
            target = join_path(directory, name)
            build.refusal = build.refusal or resource_refusal(
                self._files, target, own_fields.at(path), within=self._building
            )
            if self._files.is_directory(target):
                self.included_directories.add(target)
                build.add(self.build(target))
            else:
                build.entries.append(Entry(target))
        # Plugins and charts make objects that no file shows.
        if any(own_fields.value.get(name) for name in ("generators", "helmCharts")):
            build.complete = False
        # A missing configuration is a refusal already; reading it would leave the whole build
        # unknown.
        for name in () if build.refusal else list_at(own_fields.value, ("configurations",)):
            documents = own_fields.read_documents(str(name))
            build.configurations += tuple(mapping_at(document.value) for document in documents)
        # Schemas say which lists have keys and which fields are references; celvet knows only the
        # built-in ones.
        if own_fields.value.get("crds") or mapping_at(own_fields.value, ("openapi",)).get("path"):
            build.followable = False
        return build

    def _scan(self, directory: str) -> Build:
        """The files of a directory without a kustomization, and of those below it."""
        build = Build()
        for name in scan_manifests(self._files, directory):
            if self._files.is_directory(name):
                self.included_directories.add(name)
                build.add(self.build(name))
                build.refusal = build.refusal or misread_inclusion(self._files, name)
            else:
                build.entries.append(Entry(name))
        return build

    def _fields(self, directory: str) -> Fields | None:
        """The kustomization of a directory; raises `KustomizeError` for one that cannot be read."""
        name = self._files.kustomization(directory)
        if not name:
            return None
        documents = [
            document for document in self._files.documents(name) if document.value is not None
        ]
        # kustomize accepts one document, and skips those that are null.
        if len(documents) != 1 or not isinstance(documents[0].value, dict):
            raise KustomizeError(f"{name} is not a kustomization")
        own_fields = kustomization_fields(self._files, directory, documents[0])
        return replace(own_fields, build=partial(self._build_named, directory))

    def _build_named(self, directory: str, name: str) -> Iterable[Resource]:
        """The objects of a file or a directory, by its name relative to another directory."""
        target = join_path(directory, name)
        if not self._files.is_directory(target):
            return [
                Resource(mapping_at(document.value)) for document in self._files.documents(target)
            ]
        build = self.build(target)
        # A transformer that is missing from a configuration would change objects in ways that are
        # not shown, so a part of it is no use.
        if not build.complete or self._depth >= _MOST_CONFIGURING:
            raise KustomizeError(f"{target} cannot be built")
        self._depth += 1
        try:
            return [*self._objects(build)(())]
        finally:
            self._depth -= 1


def scan_manifests(files: Files, directory: str) -> Iterator[str]:
    """What Flux lists for a directory without a kustomization: its YAML files, and directories."""
    yield from (name for name in files.files_in(directory) if name.endswith((".yaml", ".yml")))
    for name in files.directories_in(directory):
        if files.kustomization(name):
            yield name
        else:
            yield from scan_manifests(files, name)


def kustomization_fields(files: Files, directory: str, document: TextDocument) -> Fields:
    """The fields of a kustomization, whose file names are relative to a directory."""

    def source(name: str) -> str:
        return files.manifest(join_path(directory, name)).text

    def read(name: str) -> list[TextDocument]:
        return files.documents(join_path(directory, name))

    def parse(path: Path, text: str) -> list[TextDocument]:
        return text_documents(text, lambda below: document.at((*path, *below)))

    def build(name: str) -> list[Resource]:
        raise KustomizeError(f"{name} is not followed")

    return Fields(mapping_at(document.value), document.at, source, read, parse, build)


def join_path(directory: str, name: Value) -> str:
    """A name relative to a directory; raises `KustomizeError` for one outside of the root."""
    path = posixpath.normpath(posixpath.join(directory, str(name)))
    if path.startswith(("..", "/")):
        raise KustomizeError(f"`{name}` lies outside of the repository")
    return "" if path == "." else path
