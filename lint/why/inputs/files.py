"""Objects from files: Lists as `kubectl get` prints them in JSON or YAML, or plain manifests."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from celvet.lint.healthtest.read.fixtures import Fixtures
from celvet.lint.manifest.objects.raw_objects import raw_objects
from celvet.lint.manifest.source.files import STDIN
from celvet.lint.model import Value
from celvet.lint.values import text_at
from celvet.wrong_input import WrongInputError

_SUFFIXES = (".json", ".yaml", ".yml")
_MOST_BYTES = 2**30
_MOST_FILES = 20_000


class UnreadableObjectsError(WrongInputError):
    """A file with objects cannot be read; the message says which, and why."""


def objects_in(paths: Iterable[Path]) -> Iterator[Mapping[str, Value]]:
    """The objects in files and directories, in their order; raises `UnreadableObjectsError`."""
    for path in paths:
        for file in _files(path):
            yield from _objects(file)


def _files(path: Path) -> Iterator[Path]:
    if path == STDIN or not path.is_dir():
        yield path
        return
    files = [
        file for file in sorted(path.rglob("*")) if file.suffix in _SUFFIXES and file.is_file()
    ]
    if not files:
        raise UnreadableObjectsError(f"there is no JSON or YAML file in `{path}`")
    if len(files) > _MOST_FILES:
        raise UnreadableObjectsError(f"there are more than {_MOST_FILES} files in `{path}`")
    yield from files


def _objects(file: Path) -> Iterator[Mapping[str, Value]]:
    data = _read(file)
    document = _json(data)
    values = _listed(document) if document is not None else _manifests(file, data)
    for value in values:
        if isinstance(value, dict) and text_at(value, ("kind",)):
            yield value


def _read(file: Path) -> bytes:
    try:
        with sys.stdin.buffer if file == STDIN else file.open("rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # a NUL in the name is a ValueError
        reason = getattr(error, "strerror", None) or error
        raise UnreadableObjectsError(f"`{file}` cannot be read: {reason}") from None
    if len(data) > _MOST_BYTES:
        raise UnreadableObjectsError(f"`{file}` has more than {_MOST_BYTES >> 20} MiB")
    return data


def _json(data: bytes) -> Value:
    """The document of a JSON text; None for any other text, and for several documents."""
    if data[:1] not in (b"{", b"["):
        return None
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _listed(document: Value) -> Iterator[Value]:
    """The items of a list, or the object itself."""
    items = document if isinstance(document, list) else [document]
    for item in items:
        yield from (part.value for part in raw_objects(item) if part.nesting != "held")


def _manifests(file: Path, data: bytes) -> Iterator[Value]:
    yield from Fixtures(Path()).objects(data, str(file))
