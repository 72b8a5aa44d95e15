"""The JSON patches that do not fit an object, for which kustomize refuses the whole build."""

from __future__ import annotations

from itertools import chain

from celvet.lint.kustomize.errors import KustomizeError, RefusedPatchError
from celvet.lint.kustomize.fields import Transformer
from celvet.lint.kustomize.resource import Resource
from celvet.lint.model import Value
from celvet.lint.repository.builds import Build, Passes
from celvet.lint.repository.files import Files
from celvet.lint.repository.object_form import Refusal
from celvet.lint.values import object_ref_of


def patch_refusal(build: Build, files: Files) -> Refusal | None:
    """Why a JSON patch fails on an object of a build, if one certainly does."""
    for entry in build.entries if build.patched else ():
        for obj in files.objects(entry.file):
            if reason := _failure(obj.value, entry.passes):
                title = object_ref_of(obj.value).title
                help_ = f"Correct the patch, or its target: it is also for `{title}`."
                return Refusal(f"{reason} in `{title}`", help_, (obj.place,))
    return None


def _failure(value: dict[str, Value], passes: Passes) -> str:
    """Why a patch fails on an object; empty if none certainly does."""
    resource: Resource | None = Resource(value)
    transformers: chain[Transformer] = chain.from_iterable(passes)
    try:
        for transformer in transformers:
            resource = transformer(resource) if resource else None
    except RefusedPatchError as error:
        return str(error)
    except KustomizeError:
        pass
    return ""
