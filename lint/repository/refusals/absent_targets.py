"""Strategic merge patches for an object that is not there."""

from __future__ import annotations

from contextlib import suppress

from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.kustomize.fields import Fields
from celvet.lint.kustomize.patches import untargeted_merges
from celvet.lint.kustomize.resource import TextDocument
from celvet.lint.kustomize.transformers import Objects
from celvet.lint.repository.builds import Build
from celvet.lint.repository.object_form import Refusal
from celvet.lint.values import text_at

_GENERATED = ("ConfigMap", "Secret")
"""The kinds that a generator may add."""


def absent_target(build: Build) -> Refusal | None:
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
                return Refusal(reason, help_, (document.at(()),))
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
