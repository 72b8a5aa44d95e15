"""Patches and replacements that kustomize refuses."""

from __future__ import annotations

from contextlib import suppress
from itertools import chain
from typing import TypeAlias

from celvet.lint.kustomize.errors import (
    AbsentSourceError,
    KustomizeError,
    MissingSourceError,
    RefusedChangeError,
)
from celvet.lint.kustomize.fields import Fields, Transformer
from celvet.lint.kustomize.generators import GENERATORS
from celvet.lint.kustomize.patches import misread_patch, untargeted_merges
from celvet.lint.kustomize.resource import ObjectName, Resource, TextDocument
from celvet.lint.kustomize.transformers import Objects
from celvet.lint.model import Value
from celvet.lint.repository.builds.build import Build, Passes
from celvet.lint.repository.files import Files
from celvet.lint.repository.object_form import BuildFailure
from celvet.lint.values import group_kind_of, list_at, object_ref_of, text_at
from celvet.schemas.kind_files import built_in_scope

ObjectId: TypeAlias = tuple[str, str, str, str]

_AFFIXES = ("namePrefix", "nameSuffix")
_SCALED_KINDS = ("Deployment", "ReplicaSet", "ReplicationController", "StatefulSet")
_OTHER_PARTS = (("apiVersion",), ("metadata", "namespace"))


def patch_refusal(build: Build, files: Files) -> BuildFailure | None:
    """Why a JSON patch or a replacement fails on an object of a build, if one certainly does."""
    for entry in build.entries if build.patched else ():
        for obj in files.objects(entry.file):
            error = _failure(obj.value, entry.passes)
            if isinstance(error, AbsentSourceError):
                help_ = "Correct the source of the replacement, or remove it."
                return BuildFailure(f"{error}", help_, (obj.place,)) if build.complete else None
            if isinstance(error, MissingSourceError):
                return BuildFailure(f"{error}", "Name a field that the source has.", (obj.place,))
            if error:
                title = object_ref_of(obj.value).title
                help_ = f"Correct it, or its target: it is also for `{title}`."
                return BuildFailure(f"{error} in `{title}`", help_, (obj.place,))
    return None


def _failure(value: dict[str, Value], passes: Passes) -> KustomizeError | None:
    """Why a patch or a replacement fails on an object; None if none certainly does."""
    resource: Resource | None = Resource(value)
    transformers: chain[Transformer] = chain.from_iterable(passes)
    try:
        for transformer in transformers:
            resource = transformer(resource) if resource else None
    except (RefusedChangeError, MissingSourceError, AbsentSourceError) as error:
        return error
    except KustomizeError:
        pass
    return None


def malformed_patch(build: Build) -> BuildFailure | None:
    """Why a patch is none."""
    for fields in chain.from_iterable(layers for layers, _ in build.merging):
        if misreading := misread_patch(fields):
            reason, place = misreading
            return BuildFailure(reason, "Correct it.", (place,))
    return None


def absent_replicas(build: Build) -> BuildFailure | None:
    """Which workload `replicas` names without there being one (`ReplicaCountTransformer`)."""
    for layers, objects in build.merging if build.complete else ():
        renames = any(fields.text(name) for fields in layers for name in _AFFIXES)
        for fields in () if renames else layers:
            entries = list_at(fields.value, ("replicas",))
            ids = _ids(objects) if entries else None
            for index, name in enumerate(text_at(entry, ("name",)) for entry in entries):
                is_there = any(item[1] in _SCALED_KINDS and item[2] == name for item in ids or ())
                if ids is not None and name and not is_there:
                    reason = f"`replicas` is for a workload `{name}`, which is not there"
                    place = fields.at(("replicas", index))
                    return BuildFailure(reason, "Correct the name, or remove it.", (place,))
    return None


def absent_target(build: Build) -> BuildFailure | None:
    """Why a patch without a `target` finds no object; None if that is not certain.

    Mirrors `transformStrategicMerge` of `PatchTransformer` in kustomize 5.8, which looks for the
    object by group, version, kind, name and namespace.
    """
    for layers, objects in build.merging if build.complete else ():
        documents: list[TextDocument] = []
        with suppress(KustomizeError):
            documents = [document for fields in layers for document in _merges(fields)]
        ids = _ids(objects) if documents else None
        for document in documents if ids is not None else ():
            value, kind = document.value, text_at(document.value, ("kind",))
            name = text_at(value, ("metadata", "name"))
            # Only a target that is certainly absent counts: a generated name gets a hash, and
            # variables are still open.
            is_plain = kind and name and kind not in GENERATORS.values() and "${" not in kind + name
            if is_plain and ids is not None and id_of(value, Resource(value).identity) not in ids:
                version, namespace = (text_at(value, path) for path in _OTHER_PARTS)
                # An object of this kind and name in another version or namespace says what the
                # author meant.
                same = [item for item in ids if item[1:3] == (kind, name)]
                where = f" of `{version}` in `{namespace or 'default'}`" if same else ""
                reason = f"a patch is for `{kind} {name}`{where}, which is not there"
                help_ = "Correct the name in the patch, or remove the patch."
                if same:
                    help_ = "Write the `apiVersion` and `namespace` of the object into the patch."
                return BuildFailure(reason, help_, (document.at(()),))
    return None


def _merges(fields: Fields) -> list[TextDocument]:
    return [item for item in untargeted_merges(fields) if isinstance(item.value, dict)]


def _ids(objects: Objects) -> set[ObjectId] | None:
    """What kustomize finds objects by, with their earlier names; None if that of one is unknown."""
    ids = set()
    for resource in objects(()):
        if not all(map(resource.knows, ("apiVersion", "kind", "metadata"))):
            return None
        names = (*resource.earlier_names, resource.identity)
        ids |= {id_of(resource.value, name) for name in names}
    return ids


def id_of(value: Value, name: ObjectName) -> ObjectId:
    """What kustomize tells objects apart by: version, kind, name and namespace."""
    kind = group_kind_of(value)
    is_cluster_wide = built_in_scope(*kind) == "Cluster"
    version = text_at(value, ("apiVersion",))
    return version, kind.kind, name.name, "" if is_cluster_wide else name.namespace
