"""The files in the build of a directory, each with the transformers that its objects pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import NamedTuple, TypeAlias

from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.kustomize.fields import Fields, Transformer
from celvet.lint.kustomize.generators import Generator
from celvet.lint.kustomize.resource import Resource
from celvet.lint.kustomize.transformers import Objects
from celvet.lint.model import Value
from celvet.lint.repository.files import Files
from celvet.lint.repository.object_form import AppliedObject, BuildFailure
from celvet.lint.values import group_kind_of, text_at
from celvet.record import field, record, replace

_NAMING = ("apiVersion", "kind", "metadata")

_MOST_ENTRIES = 200_000


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
    merge patches, and the objects before these; `generators` has each with the build before it.
    """

    entries: list[Entry] = field(default_factory=list)
    complete: bool = True
    configurations: tuple[Mapping[str, Value], ...] = ()
    followable: bool = True
    remote: bool = False
    refusal: BuildFailure | None = None
    patched: bool = False
    merging: tuple[tuple[Sequence[Fields], Objects], ...] = ()
    generators: tuple[tuple[Generator, Build], ...] = ()

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
        self.generators += part.generators
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
