"""The ResourceSetInputProviders around a file, from which its ResourceSets take their inputs."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from celvet.lint.manifest import read, whole_objects
from celvet.lint.manifest.objects.resourceset import is_input_provider
from celvet.lint.manifest.source.files import read_source
from celvet.lint.model import Value
from celvet.lint.repository.files import files_of
from celvet.lint.repository.root import repository

TAKING, PROVIDING = "inputsFrom", "ResourceSetInputProvider"
"""Words of every file whose ResourceSets take inputs, and of every file with a provider."""


def providers_around(file: str) -> tuple[Value, ...]:
    """Those of the repository that a file belongs to, or else of its directory."""
    directory = Path(os.path.abspath(file)).parent  # noqa: PTH100 - a link counts where it stands
    return _providers(repository(directory) or directory)


def forget() -> None:
    """Read them anew: files have changed."""
    files_of.cache_clear()
    _providers.cache_clear()


@lru_cache(maxsize=4)
def _providers(root: Path) -> tuple[Value, ...]:
    found: list[Value] = []
    for name in files_of(root).holding(PROVIDING.encode()):
        with suppress(OSError):
            objects = whole_objects(read(bytes(read_source(root / name)), name))
            found += (each.value for each in objects if is_input_provider(each.value))
    return tuple(found)
