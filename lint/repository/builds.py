"""The files in the build of a directory, each with the transformers that it passes.

Mirrors `accumulateTarget` of kustomize 5.8, and `scanManifests` of fluxcd/pkg/kustomize: without a
kustomization, the YAML files of a directory and those below it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import NamedTuple, TypeAlias

from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.kustomize.fields import Fields, Transformer
from celvet.lint.kustomize.patches import may_be_refused
from celvet.lint.kustomize.resource import Resource, TextDocument
from celvet.lint.kustomize.transformers import Objects, transformers, transforms
from celvet.lint.model import Path, Value
from celvet.lint.repository.files import Files, text_documents
from celvet.lint.repository.names.accumulation import (
    REMOTE,
    absent_file,
    component_refusal,
    resource_refusal,
)
from celvet.lint.repository.names.readings import misread_inclusion, misread_kustomization
from celvet.lint.repository.object_form import AppliedObject, BuildFailure
from celvet.lint.values import group_kind_of, list_at, mapping_at, text_at
from celvet.record import field, record, replace
from celvet.regex import regex

_REMOTE_FILE = regex(r"https?://[^?#]*\.(ya?ml|json)([?#]|$)")
"""The remote names of files; all others may be names of directories."""

_MERGING = ("patches", "patchesStrategicMerge", "replicas")
"""The fields that may name an object that has to be there."""

_NAMING = ("apiVersion", "kind", "metadata")

IGNORES_MISSING = "ignoreMissingComponents"
"""The field of Flux that leaves out components that do not exist."""

_MOST_ENTRIES = 200_000
_MOST_NESTED = 100
"""The longest chain of directories that name each other; beyond, a build is not complete."""
_MOST_CONFIGURING = 20
"""The longest chain of directories in which one has the transformers of another."""


class TransformerGroup:
    """The transformers of a kustomization, made for the first object that passes them.

    Most files are never asked for. Transformers that cannot be made leave nothing known.
    """

    __slots__ = ("_make", "_transformers")

    def __init__(self, make: Callable[[], Sequence[Transformer]]) -> None:
        self._make = make
        self._transformers: Sequence[Transformer] | None = None

    def __iter__(self) -> Iterator[Transformer]:
        if self._transformers is None:
            # a transformer that is made of the objects that pass it finds this one
            self._transformers = (forget_object,)
            with suppress(KustomizeError):
                self._transformers = self._make()
        return iter(self._transformers)


Passes: TypeAlias = tuple[Iterable[Transformer], ...]
"""The groups of transformers that an object passes, in order."""


class Entry(NamedTuple):
    """A file in a build, and what its objects pass."""

    file: str
    passes: Passes = ()


@record(frozen=False)
class Build:
    """The objects of a directory; not `complete` if a part of it is remote or cannot be built.

    `configurations` are the files that a kustomization lists under that name; they hold for those
    that include it too. Not `followable` if it brings schemas, by which kustomize merges lists and
    renames what refers to an object. A `remote` directory may bring both, for the transformers of
    what includes it. With a `refusal`, kustomize builds nothing at all; of a `patched` build, one
    with JSON patches, that depends on its objects too. `merging` has the layers with strategic
    merge patches, and the objects before these.
    """

    entries: list[Entry] = field(default_factory=list)
    complete: bool = True
    configurations: tuple[Mapping[str, Value], ...] = ()
    followable: bool = True
    remote: bool = False
    refusal: BuildFailure | None = None
    patched: bool = False
    merging: tuple[tuple[Sequence[Fields], Objects], ...] = ()

    def add(self, part: Build) -> None:
        """Add the parts of another build."""
        self.entries += part.entries
        self.complete &= part.complete
        self.configurations += part.configurations
        self.followable &= part.followable
        self.remote |= part.remote
        self.refusal = self.refusal or part.refusal
        self.patched |= part.patched
        self.merging += part.merging
        if len(self.entries) > _MOST_ENTRIES:
            raise KustomizeError("the build has too many files")

    def forgotten(self, refusal: BuildFailure | None = None) -> Build:
        """The build if nothing is known of its objects, perhaps because it is refused."""
        entries = [Entry(entry.file, ((forget_object,),)) for entry in self.entries]
        return Build(entries, complete=False, refusal=refusal)

    def with_transformers(self, group: Iterable[Transformer]) -> Build:
        """The build after a further group of transformers."""
        if self.remote or not self.followable:
            group = (forget_object,)
        return replace(
            self, entries=[Entry(entry.file, (*entry.passes, group)) for entry in self.entries]
        )


def transform(value: dict[str, Value], passes: Iterable[Iterable[Transformer]]) -> Resource | None:
    """An object after all transformers; None if one removes it.

    A transformer that cannot be followed makes the whole object unknown.
    """
    resource: Resource | None = Resource(value)
    for transformer in chain.from_iterable(passes):
        try:
            resource = transformer(resource) if resource else None
        except KustomizeError:
            return Resource(value).with_unknown(())
    return resource


def objects(
    build: Build, files: Files, substitution: Sequence[Transformer]
) -> tuple[frozenset[AppliedObject], bool]:
    """The objects of a build, with variables, and whether these are certainly all of them."""
    resources = [
        resource
        for entry in build.entries
        for obj in files.objects(entry.file)
        if (resource := _name_with_variables(obj.value, entry.passes, substitution))
    ]
    applied_objects = set(map(_applied_object, resources))
    complete = (
        build.complete
        and None not in applied_objects
        and all(files.is_readable(entry.file) for entry in build.entries)
    )
    return frozenset(filter(None, applied_objects)), complete


def _name_with_variables(
    value: dict[str, Value],
    passes: Iterable[Iterable[Transformer]],
    substitution: Sequence[Transformer],
) -> Resource | None:
    """The fields of an object that name it, with variables: there are more in all others."""
    resource = transform(value, passes)
    if resource is None or not substitution:
        return resource
    naming_fields = {key: part for key, part in resource.value.items() if key in _NAMING}
    naming_resource = transform(naming_fields, [substitution])
    return naming_resource and naming_resource.with_unknown(*resource.unknown)


def _applied_object(resource: Resource) -> AppliedObject | None:
    """An object as others name it; None if its kind is not known, or encrypted."""
    kind = group_kind_of(resource.value)
    if "ENC[" in kind.group + kind.kind or not (
        resource.knows("kind") and resource.knows("apiVersion")
    ):
        return None
    name = text_at(resource.value, ("metadata", "name"))
    is_known = resource.knows("metadata", "name") and "${" not in name
    return AppliedObject(kind, name if is_known else "")


def forget_object(resource: Resource) -> Resource:
    """The form of an object in a build that cannot be followed."""
    return resource.with_unknown(())


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
            build = self._scan(directory).forgotten()
        finally:
            self._building.discard(directory)
        if refusal := build.refusal or misread_kustomization(self._files, directory):
            build = build.forgotten(refusal)
        if overlay is None:
            self._plain_builds[directory] = build
        return build

    def _build_layers(self, directory: str, overlay: Fields | None) -> Build:
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
        make = partial(transformers, layers, self._objects(build), build.configurations)
        patches = any(map(may_be_refused, layers))
        merges = any(fields.value.get(name) for fields in layers for name in _MERGING)
        merging = ((layers, self._objects(build)),) if merges else ()
        build = replace(build, patched=build.patched or patches, merging=(*build.merging, *merging))
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
        if any(own_fields.value.get(name) for name in ("generators", "helmCharts")):
            build.complete = False
        for name in () if build.refusal else list_at(own_fields.value, ("configurations",)):
            documents = own_fields.read_documents(str(name))
            build.configurations += tuple(mapping_at(document.value) for document in documents)
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
