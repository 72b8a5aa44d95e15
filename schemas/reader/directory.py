"""The kinds and dialects in the files of a directory."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from celvet.schemas.dialect import Dialect
from celvet.schemas.errors import CatalogError, FormError
from celvet.schemas.kind import Kind
from celvet.schemas.kind_files import KINDS
from celvet.schemas.reader.dialect_forms import check_dialect
from celvet.schemas.reader.kind_forms import read_kind
from celvet.schemas.reader.references import References

_DIALECT_DIRECTORY, _SHARED_DIRECTORY = "dialects", "shared"
_OURS = ("controllers", "libraries", "reader", "repository")
_NO_SYSTEMS = (_DIALECT_DIRECTORY, _SHARED_DIRECTORY, KINDS)


def read_dialects(directory: Path) -> dict[str, Dialect]:
    """The dialects of a schema directory, by name.

    Raises `CatalogError` for a file that does not describe a dialect.
    """
    folder = directory / _DIALECT_DIRECTORY
    if not folder.is_dir():
        return {}
    return {file.stem: _dialect(file) for file in _json_files(folder)}


def read_kinds(directory: Path, dialects: Collection[str]) -> tuple[Kind, ...]:
    """The kinds of a schema directory, ordered by system and name.

    `dialects` are the names that an `x-expression` may use. Raises `CatalogError` for anything
    that is not understood.
    """
    references = References(directory, _read)
    kinds = tuple(
        _kind(file, references, dialects)
        for system in _systems(directory)
        for file in _json_files(system)
    )
    _assure_once(kinds, directory)
    if (directory / _SHARED_DIRECTORY).is_dir():
        for file in _json_files(directory / _SHARED_DIRECTORY):
            _read(file)
    return kinds


def _assure_once(kinds: tuple[Kind, ...], directory: Path) -> None:
    names = Counter((str(kind), version) for kind in kinds for version in kind.versions)
    for (name, version), times in names.items():
        if times > 1:
            raise CatalogError(directory, f"has {version} of {name} more than once")


def _systems(directory: Path) -> Iterator[Path]:
    for entry in _entries(directory):
        if _is_part_of_celvet(entry):
            continue
        if entry.is_dir():
            if entry.name not in _NO_SYSTEMS:
                yield entry
        else:
            reason = "unexpected entry; a kind belongs in a directory named after its system"
            raise CatalogError(entry, reason)


def _is_part_of_celvet(entry: Path) -> bool:
    """Whether this entry beside the built-in schemas is code, or data that only celvet has."""
    ours = entry.parent == Path(__file__).parent.parent
    return ours and (entry.suffix in (".py", ".jsonl") or entry.name in _OURS)


def _entries(directory: Path) -> list[Path]:
    try:
        entries = sorted(directory.iterdir())
    except OSError as error:
        raise CatalogError(directory, f"cannot be read: {error.strerror}") from error
    return [
        entry
        for entry in entries
        if not entry.name.startswith(".") and entry.name not in ("README.md", "__pycache__")
    ]


def _json_files(directory: Path) -> list[Path]:
    files = _entries(directory)
    for file in files:
        if file.suffix != ".json" or not file.is_file():
            raise CatalogError(file, "unexpected entry; only `.json` files belong here")
    return files


def _read(file: Path) -> Any:
    try:
        content = json.loads(file.read_bytes(), object_pairs_hook=_unique)
    except OSError as error:
        raise CatalogError(file, f"cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise CatalogError(file, f"is no valid JSON: {error}") from error
    if not isinstance(content, dict):
        raise CatalogError(file, "is no JSON object")
    return content


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError("a key appears twice in one object")
    return content


def _dialect(file: Path) -> Dialect:
    content = _read(file)
    try:
        check_dialect(content)
    except FormError as error:
        raise CatalogError(file, str(error)) from None
    return Dialect.from_json(file.stem, content)


def _kind(file: Path, references: References, dialects: Collection[str]) -> Kind:
    try:
        return read_kind(references.resolve(_read(file), file), file, dialects)
    except FormError as error:
        raise CatalogError(file, str(error)) from None
    except RecursionError as error:
        raise CatalogError(file, "is nested too deeply") from error
