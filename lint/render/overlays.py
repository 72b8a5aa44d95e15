"""Writes the input of a build: a generated kustomization for each Flux Kustomization.

It is in a temporary directory, so that nothing in the repository changes, and requests the origin
of each object. It also has what the Flux Kustomization merges into the one of its path. Variables
are replaced afterwards: `flux build --dry-run` makes those that only the cluster knows empty
(internal/build/build.go of fluxcd/flux2, 2026-07).
"""

from __future__ import annotations

import json
import os
import posixpath
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.model import Value
from celvet.lint.render.program import RenderError, RenderProgram
from celvet.lint.repository.applications import Applications
from celvet.lint.repository.builds.accumulation import REMOTE
from celvet.lint.repository.builds.builder import join_path, scan_manifests
from celvet.lint.repository.files import Files
from celvet.lint.repository.instance import Instance, knows_merged_fields, merged_fields
from celvet.lint.repository.variables.post_build import variables
from celvet.lint.values import list_at, text_at
from celvet.record import record
from celvet.regex import regex

_COPIES = "files"
_BASES = ("resources", "bases", "components", "transformers", "generators", "validators")
"""The fields of a kustomization that may name a directory, or a place to fetch one from."""

_FILES = ("patchesStrategicMerge", "crds", "configurations")
"""The fields that name files; kustomize fetches each of them by HTTP (`fileLoader.Load` in
api/internal/loader/fileloader.go of kustomize 5.7.1)."""

_ENTRIES = ("patches", "patchesJson6902", "replacements")
"""The fields whose items may have a file as `path`."""

_GENERATORS = ("configMapGenerator", "secretGenerator")
"""The fields whose items have files as `files`, perhaps with a key, as `envs` and `env`."""

_URL = regex(r"(?i)https?://")


@record
class RenderBuild:
    """The directory that a Flux Kustomization applies, and its changes to it.

    `substitutions` are the variables whose values the repository shows.
    """

    files: Files
    directory: str
    instance: Instance
    substitutions: Mapping[str, str]

    @property
    def title(self) -> str:
        """The Flux Kustomization, as messages name it."""
        value, identity = self.instance.resource.value, self.instance.resource.identity
        return f"{text_at(value, ('kind',))} {identity.namespace}/{identity.name}"

    @property
    def key(self) -> str:
        """A key that is equal for equal builds."""
        return json.dumps([self.directory, merged_fields(self.instance), dict(self.substitutions)])

    def run(self, program: RenderProgram, overlay: Path, seconds: float) -> bytes:
        """The kustomization for the program, in an empty directory outside the repository.

        Raises `RenderError`.
        """
        if not knows_merged_fields(self.instance):
            raise RenderError("the repository does not tell what it changes")
        try:
            fields = self._fields(overlay)
        except (OSError, KustomizeError) as error:
            raise RenderError(str(error)) from None
        (overlay / "kustomization.yaml").write_text(json.dumps(fields), encoding="utf-8")
        kustomization = json.dumps(self._object_for_flux())
        (overlay.parent / "applied.json").write_text(kustomization, encoding="utf-8")
        identity = self.instance.resource.identity
        return program.build(overlay, identity.name, identity.namespace, seconds)

    def _fields(self, overlay: Path) -> dict[str, Value]:
        """The kustomization; raises `RenderError` if something would have to be fetched."""
        if remote := next(_remote(self.files, self.directory), ""):
            raise RenderError(f"`{remote}` would have to be fetched")
        resources, components = list(self._resources(overlay)), list(self._components(overlay))
        if self._is_component():
            resources, components = [], resources + components
        return {
            **merged_fields(self.instance),
            "resources": resources,
            "components": components,
            "buildMetadata": ["originAnnotations"],
        }

    def _is_component(self) -> bool:
        """Whether the directory has a component, which Flux builds like any other directory."""
        name = self.files.kustomization(self.directory)
        documents = self.files.documents(name) if name else []
        return any(text_at(document.value, ("kind",)) == "Component" for document in documents)

    def _resources(self, overlay: Path) -> Iterator[str]:
        """The directory, or copies of its files, since kustomize takes none from outside."""
        if self.files.kustomization(self.directory):
            yield self._relative(overlay, self.directory)
            return
        for name in scan_manifests(self.files, self.directory):
            if self.files.is_directory(name):
                yield self._relative(overlay, name)
            else:
                copy = overlay / _COPIES / name
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self.files.root / name, copy)
                yield posixpath.join(_COPIES, name)

    def _components(self, overlay: Path) -> Iterator[str]:
        for name in list_at(merged_fields(self.instance), ("components",)):
            yield self._relative(overlay, join_path(self.directory, name))

    def _relative(self, overlay: Path, name: str) -> str:
        """A path from the overlay: kustomize refuses an absolute one."""
        return Path(os.path.relpath((self.files.root / name).resolve(), overlay)).as_posix()

    def _object_for_flux(self) -> Value:
        """An object that merges nothing, for flux, since everything is in the overlay."""
        value, identity = self.instance.resource.value, self.instance.resource.identity
        metadata = {"name": identity.name, "namespace": identity.namespace}
        spec = {"interval": "1h", "prune": False, "path": "./"}
        identity_fields = {name: text_at(value, (name,)) for name in ("apiVersion", "kind")}
        return {**identity_fields, "metadata": metadata, "spec": spec}


def origin_in_repository(files: Files, overlay: Path, path: str) -> str:
    """The repository's path of the file that an object's origin names; empty for another file."""
    real = os.path.normpath(overlay / path)
    if copy := _below(str(overlay / _COPIES), real):
        return copy
    return _below(str(files.root.resolve()), real)


def builds(applications: Applications, files: Files) -> Iterator[RenderBuild]:
    """The builds of all Flux Kustomizations of a repository, equal ones once."""
    keys: set[str] = set()
    for instance in applications.instances:
        directory = applications.sites.directory(instance)
        if directory is None:
            continue
        post_build = variables(instance.resource, instance.kind.variables, files)
        values = (
            {name: post_build.values[name] for name in post_build.certain} if post_build else {}
        )
        build = RenderBuild(files, directory, instance, values)
        if build.key not in keys:
            keys.add(build.key)
            yield build


def _remote(files: Files, directory: str) -> Iterator[str]:
    """The remote resources that kustomize would fetch to build a directory."""
    visited_directories, pending_directories = {directory}, [directory]
    while pending_directories:
        current = pending_directories.pop()
        kustomization = files.kustomization(current)
        names = [] if kustomization else list(scan_manifests(files, current))
        for document in files.documents(kustomization) if kustomization else ():
            base_names = [name for field in _BASES for name in list_at(document.value, (field,))]
            yield from (str(name) for name in base_names if REMOTE.match(str(name)))
            yield from (name for name in _file_names(document.value) if _URL.match(name))
            names += [
                join_path(current, name) for name in base_names if not REMOTE.match(str(name))
            ]
        children = {name for name in names if files.is_directory(name)} - visited_directories
        visited_directories |= children
        pending_directories += children


def _file_names(kustomization: Value) -> Iterator[str]:
    """The files that a kustomization names, other than resources."""
    for field in _FILES:
        yield from map(str, list_at(kustomization, (field,)))
    for field in _ENTRIES:
        yield from (text_at(entry, ("path",)) for entry in list_at(kustomization, (field,)))
    yield text_at(kustomization, ("openapi", "path"))
    for field in _GENERATORS:
        for entry in list_at(kustomization, (field,)):
            yield text_at(entry, ("env",))
            yield from map(str, list_at(entry, ("envs",)))
            for name in map(str, list_at(entry, ("files",))):
                yield name.partition("=")[2] or name


def _below(directory: str, path: str) -> str:
    """A path from a directory, with slashes; empty if it is not below it."""
    start = os.path.join(directory, "")  # noqa: PTH118
    return path[len(start) :].replace(os.sep, "/") if path.startswith(start) else ""
