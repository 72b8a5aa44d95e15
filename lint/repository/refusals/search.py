"""Finds out which builds are refused."""

from __future__ import annotations

from functools import cache

from celvet.lint.repository.applications import Applications
from celvet.lint.repository.builds.build import Build
from celvet.lint.repository.files import Files
from celvet.lint.repository.instance import Instance
from celvet.lint.repository.object_form import BuildFailure
from celvet.lint.repository.refusals.duplicates import duplicate, generator_refusal
from celvet.lint.repository.refusals.objects import misread_object
from celvet.lint.repository.refusals.patches import (
    absent_replicas,
    absent_target,
    malformed_patch,
    patch_refusal,
)
from celvet.lint.repository.refusals.post_build import substitution_refusal
from celvet.lint.repository.sources import has_only_its_files, source


class RefusalSearch:
    """The builds that kustomize or Flux refuses, as far as the repository shows it."""

    def __init__(self, files: Files, applications: Applications) -> None:
        self._files, self._applications = files, applications
        self.of = cache(self._find)

    def _find(self, instance: Instance) -> BuildFailure | None:
        """Why nothing of what an instance applies is built; None if that is not certain."""
        sites = self._applications.sites
        if instance.resource.unknown:
            return None
        build = sites.apparent_build(instance) if instance.by else sites.certain_build(instance)
        return self._refusal(instance, build) if build else None

    def _refusal(self, instance: Instance, build: Build) -> BuildFailure | None:
        if refusal := build.refusal:
            names = (source(ancestor) for ancestor in instance.chain)
            shows_all = all(has_only_its_files(name, self._files) for name in names)
            return refusal if shows_all or not refusal.absent else None
        return (
            misread_object(build, self._files)
            or malformed_patch(build)
            or patch_refusal(build, self._files)
            or absent_target(build)
            or absent_replicas(build)
            or generator_refusal(build, self._files)
            or duplicate(build, self._files)
            or substitution_refusal(instance, build, self._files)
        )
