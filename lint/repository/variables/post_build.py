"""The variables with which a Flux Kustomization substitutes in what it applies.

Mirrors `LoadVariables` of fluxcd/pkg/kustomize (2026-07-22).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.kustomize.resource import Resource
from celvet.lint.model import Path, Value
from celvet.lint.repository.files import FileObject, Files, cached_with_files
from celvet.lint.values import get, list_at, mapping_at, text_at
from celvet.record import record

_AMBIGUOUS = frozenset({"true", "false"})
"""What YAML 1.1 reads of keys such as `N` and `y`, which kustomize takes for texts."""


@record
class Variables:
    """Variables with values; those with `certain` values override unknown ones.

    If not `complete`, only names with `certain` values have a known value.
    """

    values: Mapping[str, str]
    certain: frozenset[str]
    complete: bool

    def knows(self, name: str) -> bool:
        """Whether the value of a name is known, or that it has none."""
        return self.complete or name in self.certain


def variables(resource: Resource, path: Path, files: Files) -> Variables | None:
    """The variables of a `postBuild`; None if nothing is substituted."""
    build = get(resource.value, path)
    if not isinstance(build, Mapping) and resource.knows(*path):
        return None
    values: dict[str, str] = {}
    certain: set[str] = set()
    complete = resource.knows(*path)
    # Later sources override earlier ones, and `substitute` all of them (`LoadVariables`). So an
    # unknown source makes every value before it uncertain, but none after it.
    for source in sources(resource, path, files):
        if source is None:
            complete = False
            certain.clear()
        else:
            data = _one_line(mapping_at(source.value, ("data",)))
            values |= data
            certain |= data.keys()
    inline = _one_line(mapping_at(build, ("substitute",)))
    values |= inline
    certain |= inline.keys()
    # Which variable a key such as `y` sets depends on who reads the file.
    if not _AMBIGUOUS.isdisjoint(values):
        return Variables({}, frozenset(), complete=False)
    always = get(build, ("substituteStrategy",)) == "Always"
    # Flux leaves a text with `${` alone if it has no variables, unless the strategy says otherwise.
    if complete and not values and not always:
        return None
    # A value that is itself replaced or encrypted is not the one that Flux gets.
    unknown = {name for name in certain if "${" in values[name] or "ENC[" in values[name]}
    return Variables(values, frozenset(certain - unknown), complete and not unknown)


def sources(resource: Resource, path: Path, files: Files) -> Iterator[FileObject | None]:
    """The ConfigMaps that a `postBuild` takes variables from; None for an unknown source."""
    namespace = resource.identity.namespace
    for source in list_at(get(resource.value, path), ("substituteFrom",)):
        is_config_map = text_at(source, ("kind",)) == "ConfigMap"
        yield _config_map(files, namespace, text_at(source, ("name",))) if is_config_map else None


@cached_with_files
def _config_map(files: Files, namespace: str, name: str) -> FileObject | None:
    """The ConfigMap that the repository has exactly once, unencrypted.

    Something else fills a ConfigMap without data.
    """
    config_maps = [
        obj
        for file in files.files_mentioning(b"ConfigMap", name)
        for obj in files.objects(file)
        if obj.value.get("kind") == "ConfigMap"
        and text_at(obj.value, ("metadata", "name")) == name
        and text_at(obj.value, ("metadata", "namespace")) in ("", namespace)
    ]
    if (
        len(config_maps) != 1
        or "sops" in config_maps[0].value
        or not mapping_at(config_maps[0].value, ("data",))
    ):
        return None
    return config_maps[0]


def _one_line(values: Mapping[str, Value]) -> dict[str, str]:
    return {key: str(value).replace("\n", "") for key, value in values.items()}
