"""Which Flux Kustomizations have this repository as their source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from celvet.lint.kustomize.resource import ObjectName
from celvet.lint.manifest.objects.held import holds_object
from celvet.lint.repository.files import Files
from celvet.lint.repository.instance import Instance
from celvet.lint.values import mapping_at, text_at

_GROUP = "source.toolkit.fluxcd.io"


class SourceName(NamedTuple):
    """What an instance names as its source."""

    kind: str
    name: str
    namespace: str


def source(instance: Instance) -> SourceName:
    """The source of an instance; without a namespace, in that of the instance."""
    holder = mapping_at(instance.resource.value, instance.kind.source)
    namespace = text_at(holder, ("namespace",)) or instance.resource.identity.namespace
    return SourceName(text_at(holder, ("kind",)), text_at(holder, ("name",)), namespace)


def is_this(instance: Instance, files: Files) -> bool:
    """Whether the source of an instance seems to be this repository.

    So do that of the parent, and that of the bootstrap.
    """
    if instance.by:
        return source(instance) == source(instance.by)
    return _maybe_bootstrapped(instance, files)


def bootstrap(root: Instance, files: Files) -> ObjectName | None:
    """The Kustomization of the bootstrap, if the source of a root comes from it for certain.

    Both have one name, which is that of the namespace if nothing in the repository says it.
    """
    _, name, namespace = source(root)
    named = name in (namespace, root.resource.identity.name)
    return ObjectName(namespace, name) if named and _maybe_bootstrapped(root, files) else None


def _maybe_bootstrapped(instance: Instance, files: Files) -> bool:
    """Whether nothing declares its source, or just the file of a Kustomization of its name.

    A ResourceSet may build the source beside what it is for.
    """
    wanted = source(instance)
    template = instance.template
    if template and holds_object(template.declared.value, _GROUP, wanted.kind):
        return False
    declared = _declared(files).get(wanted[:2], ())
    same = wanted.name == instance.resource.identity.name
    return bool(wanted.name) and all(same and file == instance.declared.file for file in declared)


@lru_cache(maxsize=4)
def _declared(files: Files) -> Mapping[tuple[str, str], Sequence[str]]:
    """The files that declare an object of a kind and name, among those that mention sources."""
    found: dict[tuple[str, str], list[str]] = {}
    for file in files.holding(_GROUP.encode()):
        for each in files.objects(file):
            if isinstance(kind := each.value.get("kind"), str):
                found.setdefault((kind, text_at(each.value, ("metadata", "name"))), []).append(file)
    return found
