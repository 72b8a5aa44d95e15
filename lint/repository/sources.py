"""Finds which Flux Kustomizations have this repository as their source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from celvet.lint.kustomize.resource import ObjectName, Resource
from celvet.lint.manifest.objects.held import holds_object, holds_text
from celvet.lint.manifest.objects.resourceset import is_resource_set
from celvet.lint.model import GroupKind, Value
from celvet.lint.repository.files import FileObject, Files, cached_with_files
from celvet.lint.repository.instance import Instance
from celvet.lint.repository.template_objects import (
    build_template,
    made_instances,
    maker_of,
    stand_in_objects,
)
from celvet.lint.values import get, group_kind_of, mapping_at, text_at
from celvet.regex import regex
from celvet.schemas.applier import appliers, makers

PLACEHOLDER = regex(r"\$\{|<<")
"""What begins a part of a text that a variable or an input fills in."""
PLACEHOLDERS = regex(r"\$\{[^}]*\}|<<.*?>>")

_GROUP = "source.toolkit.fluxcd.io"


class SourceName(NamedTuple):
    """The source that an instance names."""

    kind: str
    name: str
    namespace: str


def source(instance: Instance) -> SourceName:
    """The source of an instance, by default in the namespace of the instance."""
    holder = mapping_at(instance.resource.value, instance.kind.source)
    namespace = text_at(holder, ("namespace",)) or instance.resource.identity.namespace
    return SourceName(text_at(holder, ("kind",)), text_at(holder, ("name",)), namespace)


def has_this_source(instance: Instance, files: Files) -> bool:
    """Whether the source of an instance seems to be this repository.

    It does if it is the source of its parent or root, comes from the bootstrap, or applies itself.
    """
    source_name = source(instance)
    if instance.by:
        is_named_here = source_name == source(instance.by)
        self_applied_names = _self_applied_sources(files, source_name.kind)
        return (
            is_named_here
            or source_name.name in self_applied_names
            or frozenset() != _addresses(instance, files) <= _own_addresses(files)
        )
    return _may_come_from_bootstrap(instance, files)


def is_elsewhere(instance: Instance, files: Files) -> bool:
    """Whether the source of an instance is certainly another repository than the bootstrap's.

    A repository that has moved keeps its name, which is the end of its address. The source of a
    tenant, of whose address nothing is known, may have a name that is no value of the bootstrap's.
    """
    names = {address.rpartition("/")[2] for address, _ in _addresses(instance, files)}
    parts = PLACEHOLDERS.split(source(instance).name)
    own_source = _bootstrap_source(files) if names or len(parts) > 1 else None
    if own_source is None or source(instance) == own_source:
        return False
    if not names:
        return not pattern_of(parts).fullmatch(own_source.name)
    own_names = {address.rpartition("/")[2] for address, _ in _own_addresses(files)}
    return bool(own_names) and names.isdisjoint(own_names)


def pattern_of(parts: Sequence[str]) -> re.Pattern[str]:
    """What a text may be of which only the parts around its placeholders are known."""
    return re.compile(".+".join(map(re.escape, parts)))


@cached_with_files
def _own_addresses(files: Files) -> frozenset[tuple[str, str]]:
    """The addresses and branches of the bootstrap's source, as far as the files show them."""
    instances = (item for item in _appliers(files) if source(item) == _bootstrap_source(files))
    return frozenset().union(*(_addresses(instance, files) for instance in instances))


def _addresses(instance: Instance, files: Files) -> frozenset[tuple[str, str]]:
    """The addresses and branches of what has the name of its source; empty if any is not known."""
    template = instance.template.resource.value if instance.template else {}
    kind, name, _ = source(instance)
    if kind != "GitRepository":
        return frozenset()
    specs = [mapping_at(value, ("spec",)) for value in _declared_values(files, kind).get(name, ())]
    if maker := maker_of(template):
        specs = [mapping_at(template, (*maker.spec, *maker.needs[:-1]))]
    addresses = {(_plain_address(text_at(spec, ("url",))), _branch(spec)) for spec in specs}
    return frozenset(addresses if all(address for address, _ in addresses) else ())


def _plain_address(url: str) -> str:
    """An address without what may differ between two of the same repository; empty if unknown."""
    _, _, address = url.strip("/").removesuffix(".git").rpartition("://")
    address = address.rpartition("@")[2].replace(":", "/").lower()
    return "" if PLACEHOLDER.search(url) else address


def _branch(spec: Mapping[str, Value]) -> str:
    """The branch of a source, or the text of all that selects another revision."""
    ref = spec.get("ref") or ""
    is_branch = isinstance(ref, dict) and [*ref] == ["branch"]
    return text_at(ref, ("branch",)) if is_branch else str(ref).removeprefix("refs/heads/")


def has_only_its_files(source_name: SourceName, files: Files) -> bool:
    """Whether a source brings the files of its repository, and nothing that is made elsewhere.

    An artifact may be made from more files, and a GitRepository may include others.
    """
    return source_name.kind == "GitRepository" and not _includes_others(files)


@cached_with_files
def _includes_others(files: Files) -> bool:
    """Whether a GitRepository of the files includes another one."""
    kind = "GitRepository"
    return any(get(obj.value, ("spec", "include")) for obj in _declared_sources(files, kind))


@cached_with_files
def has_ignoring_source(files: Files) -> bool:
    """Whether a GitRepository of the files leaves out some of its files."""
    return any(
        get(obj.value, ("spec", "ignore")) for obj in _declared_sources(files, "GitRepository")
    )


def bootstrap(root: Instance, files: Files) -> ObjectName | None:
    """The Kustomization of the bootstrap, if the source of a root certainly comes from it.

    Both have the same name, which is that of the namespace unless the repository says otherwise.
    """
    _, name, namespace = source(root)
    has_bootstrap_name = name in (namespace, root.resource.identity.name)
    return (
        ObjectName(namespace, name)
        if has_bootstrap_name and _may_come_from_bootstrap(root, files)
        else None
    )


def _may_come_from_bootstrap(instance: Instance, files: Files) -> bool:
    """Whether nothing declares its source, or only objects that are applied from that source.

    A ResourceSet may build the source together with the objects that use it. A FluxInstance makes
    that of the bootstrap.
    """
    source_name = source(instance)
    template = instance.template.file_object.value if instance.template else {}
    if not maker_of(template) and holds_object(template, (GroupKind(_GROUP, source_name.kind),)):
        return False
    if source_name.name in _self_applied_sources(files, source_name.kind):
        return True
    return bool(source_name.name) and not any(
        _may_be_named(declared_name, source_name.name)
        for declared_name in _declared_values(files, source_name.kind)
    )


@cached_with_files
def _self_applied_sources(files: Files, kind: str) -> frozenset[str]:
    """The names of sources of a kind of which an object applies the file that declares them.

    The files of another repository are not here. The root directory, though, has all files, and
    stands for an empty path: there, only the name of the bootstrap counts. Another repository may
    have a directory of the same name, so of the sources that seem to bring a file, the one counts
    that most objects use.
    """
    declarations = _declared_sources(files, kind)
    # Names alone decide here: the namespace may come from a parent.
    users = Counter(source(instance)[:2] for instance in _appliers(files))
    bringers: dict[str, set[tuple[str, str]]] = {obj.file: set() for obj in declarations}
    for instance in _appliers(files):
        source_name = source(instance)
        path = text_at(instance.resource.value, instance.kind.path).strip("./")
        if path or source_name == _bootstrap_source(files):
            for file, names in bringers.items():
                if not path or file.startswith(f"{path}/"):
                    names.add(source_name[:2])
    return frozenset(
        name
        for name, file in ((_name(obj), obj.file) for obj in declarations)
        if (kind, name) in bringers[file]
        and users[kind, name] == max(users[bringer] for bringer in bringers[file])
    )


@cached_with_files
def _bootstrap_source(files: Files) -> SourceName | None:
    """The source with the name of its namespace, as the bootstrap gives it.

    A tenant's source may be named like this too. Most objects, though, use that of the bootstrap.
    """
    counts = Counter(
        source_name
        for source_name in map(source, _appliers(files))
        if source_name.name == source_name.namespace
    )
    most = counts.most_common(2)
    is_one = most[:1] and most[0][1] > sum(count for _, count in most[1:])
    return most[0][0] if is_one else None


def _appliers(files: Files) -> Iterator[Instance]:
    """The objects that apply files, as written."""
    for kind in appliers():
        for file in files.files_mentioning(kind.group.encode(), kind.kind):
            for obj in files.objects(file):
                if group_kind_of(obj.value) == GroupKind(kind.group, kind.kind):
                    yield Instance(obj, kind, Resource(obj.value))
    for maker in makers():
        for file in files.files_with(maker.word.encode()):
            for obj in files.objects(file):
                yield from made_instances(obj, Resource(obj.value), files)


def _may_be_named(declared_name: str, name: str) -> bool:
    """Whether an object has a name, or may have it by an input that is not known."""
    prefix, unknown, _ = declared_name.partition("<<")
    return declared_name == name or bool(unknown and name.startswith(prefix))


@cached_with_files
def _declared_sources(files: Files, kind: str) -> Sequence[FileObject]:
    """The sources of a kind; a template may give the kind."""
    group = f"{_GROUP}/".encode()  # CRDs and roles, which may be large, have it without a slash
    names = {*files.files_mentioning(group, kind), *files.files_mentioning(group, "<<")}
    return [
        obj
        for file in sorted(names)
        for obj in chain.from_iterable(
            _objects(declared_object, files) for declared_object in files.objects(file)
        )
        if obj.value.get("kind") == kind
    ]


@cached_with_files
def _declared_values(files: Files, kind: str) -> Mapping[str, Sequence[dict[str, Value]]]:
    """The values of the sources of a kind, by their names."""
    values: dict[str, list[dict[str, Value]]] = {}
    for obj in _declared_sources(files, kind):
        values.setdefault(_name(obj), []).append(obj.value)
    return values


def _name(obj: FileObject) -> str:
    return text_at(obj.value, ("metadata", "name"))


def _objects(obj: FileObject, files: Files) -> Iterator[FileObject]:
    """An object, and what the operator builds of it."""
    yield obj
    if is_resource_set(obj.value) and holds_text(obj.value, _GROUP):
        template_objects = build_template(obj, Resource(obj.value), files, None)
        yield from template_objects.objects
        if not template_objects.complete:
            yield from stand_in_objects(obj, obj.value)
