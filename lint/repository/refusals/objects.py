"""The objects of a build that kustomize cannot read, for which it refuses the whole build.

Mirrors `dropBadNodes` of kustomize 5.8 (api/resource/factory.go).
"""

from __future__ import annotations

import posixpath
import re

from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.kustomize.resource import SourcePlace, lack_of_object
from celvet.lint.model import Where
from celvet.lint.repository.builds.build import Build, forget_object
from celvet.lint.repository.builds.readings import broken_file, repeated_key
from celvet.lint.repository.files import Files, cached_with_files
from celvet.lint.repository.object_form import BuildFailure
from celvet.lint.repository.sources import has_ignoring_source
from celvet.regex import regex

_DOCUMENT = regex(r"^---", re.MULTILINE)
_NAMES = regex(
    r"^kind: *\S(?:.*\n)*?metadata:.*\n(?: *#.*\n|\n)*( +)"
    r"(?:[^\s#-].*\n(?:\1[ -].*\n| *#.*\n|\n)*\1)*?name: *\S",
    re.MULTILINE,
)
"""A kind, and a name among the fields of the metadata, which all are at one indentation."""
_KEYS = regex(
    r"^( *)((?:- +)*)(\w[\w./-]*|\"[^\"\n]*\"|'[^'\n]*'):(?=\s)( *[|>][-+\d]* *$)?", re.MULTILINE
)
_CONTENT = regex(r"^[^#\s]", re.MULTILINE)
_ALIAS = regex(r"[:-] +\*([\w-]+) *$", re.MULTILINE)
_ANCHOR = regex(r"&([\w-]+)")
_NO_BLOCK = 1_000_000
_TAB = regex(r"^ *\t", re.MULTILINE)
_IGNORE_FILE = ".sourceignore"
_CI_FILES = ("appveyor.yml", "cloudbuild.yaml", "codeship-services.yml", "codeship-steps.yml")


def misread_object(build: Build, files: Files) -> BuildFailure | None:
    """Why kustomize cannot read an object of a build; sources may ignore files of some names."""
    certain_entries = (entry for entry in build.entries if (forget_object,) not in entry.passes)
    names = dict.fromkeys(entry.file for entry in certain_entries)
    failures = (_misread_file(files, name) for name in names)
    return next(filter(None, failures), None)


@cached_with_files
def _misread_file(files: Files, name: str) -> BuildFailure | None:
    parts = _DOCUMENT.split(files.text(name))
    if all(_looks_like_object(part) for part in parts) or _may_be_ignored(files, name):
        return None
    try:
        documents = files.manifest(name).documents
    except KustomizeError:
        return None
    for document in documents:
        # kustomize skips empty documents, and refuses a file for any other one that is no object.
        is_empty = not document.readable or document.value in (None, {})
        if lack := "" if is_empty else lack_of_object(document.value):
            reason = f"`{name}` has an object without `{lack}`"
            help_ = "Correct it, or leave the file out of the build."
            return BuildFailure(reason, help_, (SourcePlace(name, Where(document.index, ())),))
    return broken_file(files, name) or repeated_key(files, name)


def _looks_like_object(text: str) -> bool:
    """Whether a document need not be read: it has a kind and a name, and no frequent mistake."""
    if _TAB.search(text) or {*_ALIAS.findall(text)} - {*_ANCHOR.findall(text)}:
        return False
    return (bool(_NAMES.search(text)) and not _repeats_key(text)) or not _CONTENT.search(text)


def _repeats_key(text: str) -> bool:
    """Whether a mapping in block style seems to have a key twice.

    `mappings` are those around a line, from the outermost, by the column of their keys.
    """
    mappings: list[tuple[int, set[str]]] = []
    block_column = _NO_BLOCK
    for indent, dashes, key, is_block in _KEYS.findall(text):
        column = len(indent)
        if column > block_column:
            continue  # a line of a text in block style
        block_column = _NO_BLOCK
        # an item ends the mappings before it, also those at the column of its dash
        while mappings and mappings[-1][0] > column:
            mappings.pop()
        column += len(dashes)
        if not mappings or mappings[-1][0] < column:
            mappings.append((column, set()))
        keys = mappings[-1][1]
        if key.strip("'\"") in keys:
            return True
        keys.add(key.strip("'\""))
        if is_block:
            block_column = column
    return False


def _may_be_ignored(files: Files, name: str) -> bool:
    """Whether a source may leave out a file, which none lists, by its own rules or those of Flux.

    Mirrors the defaults of fluxcd/pkg/sourceignore (`ExcludeCI` and `ExcludeExtra`).
    """
    base, directory = posixpath.basename(name), posixpath.dirname(name)
    if files.kustomization(directory):
        return False
    directories = [""]
    for step in directory.split("/"):
        directories.append(posixpath.join(directories[-1], step))
    ignores = (files.exists(posixpath.join(above, _IGNORE_FILE)) for above in directories)
    return base.startswith(".") or base in _CI_FILES or has_ignoring_source(files) or any(ignores)
