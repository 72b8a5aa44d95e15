"""Patches and replacements that kustomize refuses."""

from __future__ import annotations

from contextlib import suppress
from itertools import chain

from celvet.lint.kustomize.errors import KustomizeError, MissingSourceError, RefusedPatchError
from celvet.lint.kustomize.fields import Fields, Transformer
from celvet.lint.kustomize.patches import untargeted_merges
from celvet.lint.kustomize.resource import Resource, TextDocument
from celvet.lint.kustomize.transformers import Objects
from celvet.lint.model import Value
from celvet.lint.repository.builds import Build, Passes
from celvet.lint.repository.files import Files
from celvet.lint.repository.object_form import BuildFailure
from celvet.lint.values import object_ref_of, text_at

_GENERATED = ("ConfigMap", "Secret")
"""The kinds that a generator may add."""


def patch_refusal(build: Build, files: Files) -> BuildFailure | None:
    """Why a JSON patch or a replacement fails on an object of a build, if one certainly does."""
    for entry in build.entries if build.patched else ():
        for obj in files.objects(entry.file):
            error = _failure(obj.value, entry.passes)
            if isinstance(error, MissingSourceError):
                return BuildFailure(f"{error}", "Name a field that the source has.", (obj.place,))
            if error:
                title = object_ref_of(obj.value).title
                help_ = f"Correct the patch, or its target: it is also for `{title}`."
                return BuildFailure(f"{error} in `{title}`", help_, (obj.place,))
    return None


def _failure(
    value: dict[str, Value], passes: Passes
) -> RefusedPatchError | MissingSourceError | None:
    """Why a patch or a replacement fails on an object; None if none certainly does."""
    resource: Resource | None = Resource(value)
    transformers: chain[Transformer] = chain.from_iterable(passes)
    try:
        for transformer in transformers:
            resource = transformer(resource) if resource else None
    except (RefusedPatchError, MissingSourceError) as error:
        return error
    except KustomizeError:
        pass
    return None


def absent_target(build: Build) -> BuildFailure | None:
    """Why a patch without a `target` finds no object; None if that is not certain.

    Mirrors `transformStrategicMerge` of `PatchTransformer` in kustomize 5.8, which looks for the
    object by group, version, kind, name and namespace. Here only a kind and name of no object at
    all counts.
    """
    for layers, objects in build.merging if build.complete else ():
        documents: list[TextDocument] = []
        with suppress(KustomizeError):
            documents = [document for fields in layers for document in _merges(fields)]
        names = _names(objects) if documents else None
        for document in documents if names is not None else ():
            kind, name = (
                text_at(document.value, path) for path in (("kind",), ("metadata", "name"))
            )
            is_plain = kind and name and kind not in _GENERATED and "${" not in kind + name
            if is_plain and names is not None and (kind, name) not in names:
                reason = f"a patch is for `{kind} {name}`, which is not there"
                help_ = "Correct the name in the patch, or remove the patch."
                return BuildFailure(reason, help_, (document.at(()),))
    return None


def _merges(fields: Fields) -> list[TextDocument]:
    return [item for item in untargeted_merges(fields) if isinstance(item.value, dict)]


def _names(objects: Objects) -> set[tuple[str, str]] | None:
    """The kinds and names of objects, earlier names among them; None if one is not known."""
    names = set()
    for resource in objects(()):
        if not (resource.knows("kind") and resource.knows("metadata", "name")):
            return None
        kind = text_at(resource.value, ("kind",))
        names |= {(kind, item.name) for item in (*resource.earlier_names, resource.identity)}
    return names
