"""The files that are patches of a kustomization, and no objects of the cluster."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from celvet.lint.manifest.objects.patches import patch_files
from celvet.lint.repository.files import Files


def patch_targets(files: Files) -> dict[str, Mapping[str, str]]:
    """The patch files of a repository, each with what the target of its first use names."""
    found: dict[str, Mapping[str, str]] = {}
    for name in files.holding(b"patch"):
        directory = posixpath.dirname(name)
        for each in files.objects(name) if files.kustomization(directory) == name else ():
            for file, target in patch_files(each.value):
                found.setdefault(posixpath.normpath(posixpath.join(directory, file)), target)
    return found
