"""The objects that a build has twice, or a generator looks for, for which kustomize refuses it.

Mirrors `resWrangler.Append` of kustomize 5.8 (api/resmap/reswrangler.go), which compares group,
version, kind, name and namespace; and `appendReplaceOrMerge`, which looks for what a generator
makes by the present and the earlier names of the objects.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from celvet.lint.kustomize.generators import GENERATORS, Generator
from celvet.lint.kustomize.resource import ObjectName, Resource, SourcePlace
from celvet.lint.repository.builds.build import Build, transform
from celvet.lint.repository.files import Files, cached_with_files
from celvet.lint.repository.object_form import BuildFailure
from celvet.lint.repository.refusals.patches import ObjectId, id_of
from celvet.lint.values import get, group_kind_of, object_ref_of, text_at
from celvet.regex import regex

_DOCUMENT = regex(r"^---", re.MULTILINE)
_KIND = regex(r"^kind:[ \t]*['\"]?(\w+)", re.MULTILINE)
_FLOW_KIND = regex(r"^[^#\n]*\bkind['\"]?:", re.MULTILINE)
_METADATA = regex(r"^metadata:.*(?:\n(?:[ \t].*)?)*", re.MULTILINE)
_NAME = regex(r"\bname:[ \t]*['\"]?([^\s'\"#,}]+)")
_NAME_PATH = ("metadata", "name")
_LOCAL = ("metadata", "annotations", "config.kubernetes.io/local-config")


def duplicate(build: Build, files: Files) -> BuildFailure | None:
    """The first object that a build certainly has twice."""
    first_places: dict[ObjectId, SourcePlace] = {}
    # Only files that may share an object are transformed, since most builds have no duplicate.
    for index in _suspects(build, files):
        entry = build.entries[index]
        for obj in files.objects(entry.file):
            resource = transform(obj.value, entry.passes)
            identity = _identity(resource) if resource else None
            if identity in first_places:
                return BuildFailure(
                    f"kustomize refuses `{object_ref_of(obj.value).title}`, which is there twice",
                    "Remove one of the two.",
                    (first_places[identity], obj.place),
                )
            if identity:
                first_places[identity] = obj.place
    return None


def _suspects(build: Build, files: Files) -> Sequence[int]:
    """The entries with an object whose kind and name are written twice; only these are read."""
    indices: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, entry in enumerate(build.entries):
        for kind_and_name in _written_names(files, entry.file):
            indices[kind_and_name].append(index)
    return sorted({index for places in indices.values() if len(places) > 1 for index in places})


@cached_with_files
def _written_names(files: Files, name: str) -> Sequence[tuple[str, str]]:
    """The kinds and names in a file, by its text: names of labels may be among them."""
    parts = _DOCUMENT.split(files.text(name))
    if any("kind" in part and not _is_plain(part) for part in parts):  # a list, or flow style
        values = [obj.value for obj in files.objects(name)]
        return [(group_kind_of(value).kind, text_at(value, _NAME_PATH)) for value in values]
    return [pair for part in parts for pair in {*_names_in(part)}]


def _is_plain(document: str) -> bool:
    """Whether a document is an object in block style, or a comment."""
    kind = _KIND.search(document)
    return not kind[1].endswith("List") if kind else not _FLOW_KIND.search(document)


def _names_in(document: str) -> Iterator[tuple[str, str]]:
    kind, metadata = _KIND.search(document), _METADATA.search(document)
    if kind and metadata:
        yield from ((kind[1], name) for name in _NAME.findall(metadata[0]))


def _identity(resource: Resource) -> ObjectId | None:
    """What kustomize compares; None if that is not known, or the object stays out of the build."""
    knows, value = resource.knows, resource.value
    name = text_at(value, _NAME_PATH)
    is_known = knows("kind") and knows("apiVersion") and knows("metadata")
    if not (is_known and name) or get(value, _LOCAL) is not None:
        return None
    return id_of(value, resource.identity)


def generator_refusal(build: Build, files: Files) -> BuildFailure | None:
    """Which generator kustomize refuses, if it certainly refuses one."""
    for generator, earlier_build in build.generators:
        if generator.creates:
            names = _names(generator, earlier_build, files)
            if generator.name in names:
                reason = f"a generator makes `{generator.title}`, which is there already"
                help_ = "Add `behavior: merge`, or remove one of the two."
                return BuildFailure(reason, help_, (generator.place,))
            continue
        # A kustomization generates what its own components merge into, so the order is left open;
        # and a name may have got a prefix or a suffix.
        names = _names(generator, build, files) if build.complete else [generator.name]
        if not any(name.name in generator.name.name for name in names):
            reason = f"a generator changes `{generator.title}`, which is not there"
            help_ = f"Correct the name, or remove `behavior: {generator.behavior}`."
            return BuildFailure(reason, help_, (generator.place,))
    return None


def _names(generator: Generator, build: Build, files: Files) -> list[ObjectName]:
    """The names that the objects of the same kind in a build have, or had before."""
    generated_names = (
        item.name for item, _ in build.generators if item.creates and item.field == generator.field
    )
    return [*generated_names, *_names_in_files(generator, build, files)]


def _names_in_files(generator: Generator, build: Build, files: Files) -> Iterator[ObjectName]:
    kind = GENERATORS[generator.field]
    for entry in build.entries:
        if not files.may_hold(entry.file, kind.encode()):
            continue
        for obj in files.objects(entry.file):
            resource = transform(obj.value, entry.passes)
            if resource and resource.value.get("kind") == kind:
                yield from (*resource.earlier_names, resource.identity)
