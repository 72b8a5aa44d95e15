"""Finds out which builds are refused."""

from __future__ import annotations

from functools import cache
from itertools import chain

from celvet.lint.kustomize.errors import KustomizeError, MissingSourceError, RefusedPatchError
from celvet.lint.kustomize.fields import Transformer
from celvet.lint.kustomize.resource import Resource
from celvet.lint.model import Value
from celvet.lint.repository.applications import Applications
from celvet.lint.repository.builds import Build, Passes
from celvet.lint.repository.files import Files
from celvet.lint.repository.instance import Instance
from celvet.lint.repository.object_form import Refusal
from celvet.lint.repository.refusals.absent_targets import absent_target
from celvet.lint.repository.refusals.duplicates import duplicate
from celvet.lint.repository.refusals.post_build import substitution_refusal
from celvet.lint.repository.sources import has_only_its_files, source
from celvet.lint.values import object_ref_of


class RefusalSearch:
    """The builds that kustomize or Flux refuses, as far as the repository shows it."""

    def __init__(self, files: Files, applications: Applications) -> None:
        self._files, self._applications = files, applications
        self.of = cache(self._find)

    def _find(self, instance: Instance) -> Refusal | None:
        """Why nothing of what an instance applies is built; None if that is not certain."""
        sites = self._applications.sites
        if instance.resource.unknown:
            return None
        build = sites.apparent_build(instance) if instance.by else sites.certain_build(instance)
        return self._refusal(instance, build) if build else None

    def _refusal(self, instance: Instance, build: Build) -> Refusal | None:
        if refusal := build.refusal:
            names = (source(ancestor) for ancestor in instance.chain)
            shows_all = all(has_only_its_files(name, self._files) for name in names)
            return refusal if shows_all or not refusal.absent else None
        return (
            patch_refusal(build, self._files)
            or absent_target(build)
            or duplicate(build, self._files)
            or substitution_refusal(instance, build, self._files)
        )


def patch_refusal(build: Build, files: Files) -> Refusal | None:
    """Why a JSON patch or a replacement fails on an object of a build, if one certainly does."""
    for entry in build.entries if build.patched else ():
        for obj in files.objects(entry.file):
            error = _failure(obj.value, entry.passes)
            if isinstance(error, MissingSourceError):
                return Refusal(f"{error}", "Name a field that the source has.", (obj.place,))
            if error:
                title = object_ref_of(obj.value).title
                help_ = f"Correct the patch, or its target: it is also for `{title}`."
                return Refusal(f"{error} in `{title}`", help_, (obj.place,))
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
