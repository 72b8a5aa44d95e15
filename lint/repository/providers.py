"""The ResourceSetInputProviders around a file, from which its ResourceSets take their inputs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from celvet.lint.discovery.root import repository
from celvet.lint.manifest.objects.resourceset import PROVIDING, is_input_provider
from celvet.lint.repository.files import Files, cached_with_files, files_of
from celvet.lint.repository.variables.substitution import with_defaults


def providers_around(file: str) -> tuple[dict[str, Any], ...]:
    """The providers in the repository of a file, or else in its directory."""
    directory = Path(os.path.abspath(file)).parent  # noqa: PTH100 - a link counts where it is
    return providers_among(files_of(repository(directory) or directory))


@cached_with_files
def providers_among(files: Files) -> tuple[dict[str, Any], ...]:
    """The providers in the files, with the defaults of variables."""
    names = files.files_with(PROVIDING.encode())
    values = (obj.value for name in names for obj in files.objects(name))
    return tuple(with_defaults(value, {}) for value in values if is_input_provider(value))
