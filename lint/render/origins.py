"""Where a rendered object was written, by the annotation that kustomize gives it."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import NamedTuple

import yaml

from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.manifest import Document, Manifest
from celvet.lint.manifest.objects.entry_names import entry_names
from celvet.lint.model import Path, Value, Where
from celvet.lint.render.builds import origin_in_repository
from celvet.lint.repository.files import Files
from celvet.lint.values import get, group_kind_of, mapping_at, text_at

_ANNOTATION = ("metadata", "annotations", "config.kubernetes.io/origin")
_NAME: Path = ("metadata", "name")


class Origin(NamedTuple):
    """The document and path in a file of the repository from which an object was made.

    `value` is the object there; None if only the file is known.
    """

    manifest: Manifest
    document: int
    path: Path
    value: Value = None

    def place(self, rendered: Document, where: Where) -> Where:
        """A place of the rendered object where it is written; else the object's name.

        An entry of a list counts as the same one if it has the same names.
        """
        written = self.manifest.document(self.document)
        path = (*self.path, *where.path)
        if self.value is None or not written or not written.node_at(path):
            return Where(self.document, (*self.path, *_NAME))
        if get(written.value, path) == get(rendered.value, where.path):
            return Where(self.document, path, where.span, where.on_key, where.inner)
        names = entry_names(rendered.value, where.path)
        same = names == entry_names(self.value, where.path)
        return Where(self.document, path if same else (*self.path, *_NAME))


def origin_of(files: Files, overlay: FilePath, rendered: Value) -> Origin | None:
    """The origin of an object that was rendered in an overlay; None if it is not in the repository.

    An object that a generator made has the kustomization with the generator as its origin. A build
    may add to the name of an object, before it and after it.
    """
    try:
        told = mapping_at(yaml.safe_load(text_at(rendered, _ANNOTATION)))
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    path = text_at(told, ("path",)) or text_at(told, ("configuredIn",))
    name = "" if told.get("repo") or not path else origin_in_repository(files, overlay, path)
    try:
        manifest = files.manifest(name) if name else None
    except KustomizeError:
        return None
    if not manifest or not manifest.documents:
        return None
    title = text_at(rendered, _NAME)
    found = [
        each
        for each in files.objects(name)
        if group_kind_of(each.value) == group_kind_of(rendered)
        and text_at(each.value, _NAME) in title
    ]
    if not found:
        return Origin(manifest, manifest.documents[0].index, ())
    best = max(found, key=lambda each: len(text_at(each.value, _NAME)))
    return Origin(manifest, best.document, best.path, best.value)
