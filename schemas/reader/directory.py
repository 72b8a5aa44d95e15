"""The kinds and dialects in the files of a directory."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from celvet.regex import regex
from celvet.schemas.dialect import Dialect
from celvet.schemas.errors import CatalogError, FormError
from celvet.schemas.kind import Kind
from celvet.schemas.kind_files import KINDS
from celvet.schemas.reader.dialect_forms import check_dialect
from celvet.schemas.reader.kind_forms import read_kind

_DIALECTS, _SHARED = "dialects", "shared"
_OURS = [
    "catalogue.json",
    "controllers",
    "facts_reader",
    "libraries",
    "live",
    "reader",
    "repository",
    "snippets",
]
_REFERENCE = regex(r"(?:\.\./shared/(?P<file>[\w.-]+\.json))?#/\$defs/(?P<name>[\w.-]+)")


def read_dialects(directory: Path) -> dict[str, Dialect]:
    """The dialects of a schema directory, by name.

    Raises `CatalogError` for a file that does not describe a dialect.
    """
    return {file.stem: _dialect(file) for file in _json_files(directory / _DIALECTS, missing=True)}


def read_kinds(directory: Path, dialects: Collection[str]) -> tuple[Kind, ...]:
    """The kinds of a schema directory, ordered by system and name.

    `dialects` are the names that an `x-expression` may use. Raises `CatalogError` for anything
    that is not understood.
    """
    references = _References(directory / _SHARED)
    kinds = tuple(
        _kind(file, references, dialects)
        for system in _systems(directory)
        for file in _json_files(system)
    )
    names = Counter((str(kind), version) for kind in kinds for version in kind.versions)
    for (name, version), count in names.items():
        if count > 1:
            raise CatalogError(directory, f"has {version} of {name} more than once")
    for file in _json_files(directory / _SHARED, missing=True):
        _read(file)  # a broken file is an error, even if nothing refers to it
    return kinds


def _systems(directory: Path) -> Iterator[Path]:
    """The directories of kinds; our own also has code, and data that only celvet has."""
    built_in = directory == Path(__file__).parent.parent
    for entry in _entries(directory):
        if built_in and (entry.suffix == ".py" or entry.name in _OURS):
            continue
        if not entry.is_dir():
            reason = "unexpected entry; a kind belongs in a directory named after its system"
            raise CatalogError(entry, reason)
        if entry.name not in (_DIALECTS, _SHARED, KINDS):
            yield entry


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


def _json_files(directory: Path, *, missing: bool = False) -> list[Path]:
    """The files of a directory, which may be `missing`."""
    files = [] if missing and not directory.is_dir() else _entries(directory)
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


def _kind(file: Path, references: _References, dialects: Collection[str]) -> Kind:
    try:
        return read_kind(references.resolve(_read(file), file), file, dialects)
    except FormError as error:
        raise CatalogError(file, str(error)) from None
    except RecursionError as error:
        raise CatalogError(file, "is nested too deeply") from error


class _References:
    """Resolves each `$ref` in the schemas of one directory: a schema becomes a finite tree.

    That keeps validation fast and its depth bounded. A reference leads to `$defs` of the same file
    or of a file in `shared`. The keys beside `$ref` are merged into the target: `properties` are
    united, and any other key that both have is an error. Each target is resolved once.
    """

    def __init__(self, shared: Path) -> None:
        self._shared = shared
        self._definitions: dict[tuple[Path, str], Mapping[str, Any]] = {}
        self._open: list[tuple[Path, str]] = []

    def resolve(self, node: Any, file: Path) -> Any:
        """The node of a file with its references replaced by their targets.

        Raises `CatalogError` for a reference that leads nowhere or into itself.
        """
        if isinstance(node, list):
            return [self.resolve(item, file) for item in node]
        if not isinstance(node, Mapping):
            return node
        schema = {
            key: self.resolve(value, file)
            for key, value in node.items()
            if key not in ("$ref", "$defs")
        }
        if node.get("$ref") is None:
            return schema
        return _merged(self._definition(node["$ref"], file), schema, file)

    def _definition(self, reference: Any, file: Path) -> Mapping[str, Any]:
        match = isinstance(reference, str) and _REFERENCE.fullmatch(reference)
        if not match:
            raise CatalogError(file, f"`$ref` {reference!r} is not `[../shared/FILE]#/$defs/NAME`")
        source, name = self._shared / match["file"] if match["file"] else file, match["name"]
        key = (source, name)
        if key in self._definitions:
            return self._definitions[key]
        if key in self._open:
            raise CatalogError(file, f"`$ref` to `{name}` leads back into itself")
        if not source.is_file():
            raise CatalogError(file, f"`$ref` to {source}, which does not exist")
        definitions = _read(source).get("$defs")
        if not isinstance(definitions, Mapping) or not isinstance(definitions.get(name), Mapping):
            raise CatalogError(file, f"`$ref` to `{name}`, which is not in the `$defs` of {source}")
        self._open.append(key)
        self._definitions[key] = self.resolve(definitions[name], source)
        self._open.pop()
        return self._definitions[key]


def _merged(target: Mapping[str, Any], schema: Mapping[str, Any], file: Path) -> dict[str, Any]:
    """The schema with the target of its reference; `$comment` may be in both."""
    fields, target_fields = (part.get("properties", {}) for part in (schema, target))
    duplicates = (target.keys() & schema.keys()) - {"properties", "$comment"}
    duplicates |= fields.keys() & target_fields.keys()
    if duplicates:
        raise CatalogError(file, f"`$ref` and its siblings both have {sorted(duplicates)}")
    properties = {**target_fields, **fields}
    return {**target, **schema, **({"properties": properties} if properties else {})}
