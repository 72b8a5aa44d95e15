"""The documents of a file or an inline text, as kustomize reads them in a build."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from celvet.lint.go.kustomize_scalars import may_differ
from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.kustomize.resource import SourcePlace, TextDocument
from celvet.lint.manifest.objects.raw_objects import RawObject, raw_objects
from celvet.lint.model import Path, Where
from celvet.record import replace

if TYPE_CHECKING:
    from celvet.lint.manifest import Manifest

KUSTOMIZATION_FILES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
"""In the order in which kustomize looks for them (`RecognizedKustomizationFileNames`)."""


def applied_parts(manifest: Manifest) -> Iterator[tuple[int, RawObject]]:
    """The objects of a file that are not in others, each with the number of its document."""
    for document in manifest.documents:
        for part in raw_objects(document.value):
            if part.nesting in ("document", "list"):
                yield document.index, part


def text_documents(text: str, at: Callable[[Path], SourcePlace]) -> list[TextDocument]:
    """The documents of an inline text; `at` gives the place of a path in it.

    Raises `KustomizeError` for one that cannot be read.
    """
    return placed_documents(_inline(text), lambda document, path: _within(at(()), document, path))


@lru_cache(maxsize=1_024)
def _inline(text: str) -> Manifest:
    """A text that is written in an object; parents give the same patches to all their children."""
    return read_text(text.encode(errors="surrogatepass"))  # without nodes, which take longer


def read_text(data: bytes, name: str = "") -> Manifest:
    """Read a text without substitution, since Flux replaces variables after the build."""
    from celvet.lint.manifest import read_unsubstituted  # not needed if all reports are cached

    return read_unsubstituted(data, name)


def for_kustomize(manifest: Manifest) -> Manifest:
    """A file as kustomize reads it in a build; the kustomization itself is read as by kubectl."""
    is_kustomization = posixpath.basename(manifest.name) in KUSTOMIZATION_FILES
    if is_kustomization or not may_differ(manifest.text):
        return manifest
    documents = (
        replace(document, value=document.value_for_kustomize()) for document in manifest.documents
    )
    return replace(manifest, documents=tuple(documents))


def _within(place: SourcePlace, document: int, path: Path) -> SourcePlace:
    where = place.where
    return SourcePlace(place.file, Where(where.document, where.path, inner=Where(document, path)))


def placed_documents(
    manifest: Manifest, at: Callable[[int, Path], SourcePlace]
) -> list[TextDocument]:
    """The documents of a manifest; raises `KustomizeError` if one of them cannot be read."""
    # kustomize reads a file as a whole: one broken document makes it refuse the others too
    if manifest.problems or not all(document.readable for document in manifest.documents):
        raise KustomizeError(f"{manifest.name or 'a patch'} cannot be read")
    return [
        TextDocument(document.value, partial(at, document.index)) for document in manifest.documents
    ]
