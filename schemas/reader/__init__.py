"""Reads a directory of schemas strictly: what is not understood is an error with its file.

    dialects/<name>.json    how the expressions of a dialect are compiled
    shared/<name>.json      `$defs` that several kinds refer to
    <system>/<Kind>.json    one kind
    kinds/                  what kinds of objects under check mean, see `celvet.schemas.kind_files`

Entries whose name begins with a dot and `README.md` are left alone.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from celvet.record import replace
from celvet.regex import regex
from celvet.schemas.dialect import Dialect
from celvet.schemas.errors import CatalogError
from celvet.schemas.kind import Kind, version_order
from celvet.schemas.kind_files import KINDS
from celvet.schemas.reader.annotations import (
    read_clock,
    read_passed,
    read_typed,
    read_unrendered,
    read_unwaited,
    read_void,
)
from celvet.schemas.reader.dialect_forms import check_dialect
from celvet.schemas.reader.references import References
from celvet.schemas.reader.vocabulary import check
from celvet.schemas.sites import ExpressionSite, expression_sites
from celvet.schemas.walk import steps

__all__ = ["read_dialects", "read_kinds"]

_NAMES = "x-kubernetes-group-version-kind"
_SCOPES = ("Namespaced", "Cluster", "None")
_ROOT_KEYS = {
    *(_NAMES, "x-plural", "x-scope", "x-documentation", "x-refused-by", "x-unknown"),
    *("x-controller", "x-typed", "x-waits", "x-unwaited", "x-passed", "x-void", "x-clock"),
    "x-unrendered",
}
_NAMING: Mapping[str, re.Pattern[str]] = {
    "group": regex(r"(?:[a-z0-9][a-z0-9.-]*)?"),
    "version": regex(r"[a-z0-9][a-z0-9-]*"),
    "kind": regex(r"[A-Za-z][A-Za-z0-9]*"),
}
_RARE = 9
"""From this length on, in letters, a field name is no everyday word like `health`."""

_PLAIN = regex(rf"[A-Za-z0-9._/-]{{{_RARE},}}")
"""A field name that stands in a file as it is: line folding could break one with a blank."""

_DIALECT_DIRECTORY, _SHARED_DIRECTORY = "dialects", "shared"
_OURS = ("controllers", "libraries", "reader", "repository")
_NO_SYSTEMS = (_DIALECT_DIRECTORY, _SHARED_DIRECTORY, KINDS)


def read_dialects(directory: Path) -> dict[str, Dialect]:
    """The dialects of a schema directory, by name.

    Raises `CatalogError` for a file that describes none.
    """
    folder = directory / _DIALECT_DIRECTORY
    if not folder.is_dir():
        return {}
    return {file.stem: _dialect(file) for file in _json_files(folder)}


def read_kinds(directory: Path, dialects: Collection[str]) -> tuple[Kind, ...]:
    """The kinds of a schema directory, ordered by system and name.

    `dialects` are the names that an `x-expression` may use.
    Raises `CatalogError` for whatever is not understood.
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
            reason = "unexpected entry; a kind stands in a directory named after its system"
            raise CatalogError(entry, reason)


def _is_part_of_celvet(entry: Path) -> bool:
    """Whether this is the code, or the data that only celvet has, beside the built-in schemas."""
    ours = entry.parent == Path(__file__).parent.parent
    return ours and (entry.suffix == ".py" or entry.name in _OURS)


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
            raise CatalogError(file, "unexpected entry; only `.json` files stand here")
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
        raise ValueError("a key stands twice in one object")
    return content


def _dialect(file: Path) -> Dialect:
    content = _read(file)
    check_dialect(content, file)
    return Dialect.from_json(file.stem, content)


def _kind(file: Path, references: References, dialects: Collection[str]) -> Kind:
    try:
        return _described(references.resolve(_read(file), file), file, dialects)
    except RecursionError as error:
        raise CatalogError(file, "is nested too deeply") from error


def _described(content: Mapping[str, Any], file: Path, dialects: Collection[str]) -> Kind:
    group, name, versions = _group_kind_versions(content.get(_NAMES), file)
    if name != file.stem:
        raise CatalogError(file, f"describes `{name}`, so its name should be `{name}.json`")
    schema = {key: value for key, value in content.items() if key not in _ROOT_KEYS}
    check(schema, dialects, file)
    refused_by = _text(content, "x-refused-by", file) or "the API server"
    kind = Kind(
        system=file.parent.name,
        group=group,
        kind=name,
        versions=versions,
        plural=_text(content, "x-plural", file),
        scope=_scope(content, file),
        documentation=_text(content, "x-documentation", file),
        refused_by=refused_by,
        unknown=_text(content, "x-unknown", file) or f"{refused_by} silently drops it",
        controller=_text(content, "x-controller", file) or "the controller",
        schema=schema,
        typed=read_typed(content.get("x-typed"), file),
        waits=steps(_text(content, "x-waits", file)),
        clock=read_clock(content.get("x-clock", {}), file),
        unwaited=read_unwaited(content.get("x-unwaited", []), file),
        passed=read_passed(content.get("x-passed", {}), file),
        void=read_void(content.get("x-void", {}), file),
        unrendered=read_unrendered(content.get("x-unrendered", {}), file),
    )
    sites = list(expression_sites(kind))
    for site in sites:
        if not site.fields:
            reason = f"`x-expression` at `{site.pattern}` has no field on its way"
            raise CatalogError(file, f"{reason}; put it below `properties`")
    return replace(kind, words=tuple(dict.fromkeys(_words(kind, sites))))


def _words(kind: Kind, sites: Iterable[ExpressionSite]) -> Iterator[str]:
    """The API group; and, as a kustomize patch may give the kind alone, a field for each site."""
    yield kind.group or kind.kind
    for site in sites:
        telling = [field for field in site.fields if _PLAIN.fullmatch(field)]
        yield max(telling, key=len, default=kind.kind)


def _group_kind_versions(names: Any, file: Path) -> tuple[str, str, tuple[str, ...]]:
    if not isinstance(names, list) or not names:
        raise CatalogError(file, f"`{_NAMES}` is missing: a list of group, version and kind")
    for name in names:
        if not _is_name(name):
            raise CatalogError(file, f"`{_NAMES}` needs group, version and kind in each entry")
        for part, form in _NAMING.items():
            if not form.fullmatch(name[part]):
                reason = f"`{name[part]}` is no {part} that Kubernetes allows"
                raise CatalogError(file, f"{reason}; write it as the CRD does")
    if len({(name["group"], name["kind"]) for name in names}) > 1:
        raise CatalogError(file, f"`{_NAMES}` names more than one kind")
    versions = sorted((name["version"] for name in names), key=version_order, reverse=True)
    return names[0]["group"], names[0]["kind"], tuple(versions)


def _is_name(name: Any) -> bool:
    if not isinstance(name, Mapping) or name.keys() != {"group", "version", "kind"}:
        return False
    return all(isinstance(text, str) for text in name.values())


def _text(content: Mapping[str, Any], key: str, file: Path) -> str:
    value = content.get(key, "")
    if not isinstance(value, str):
        raise CatalogError(file, f"`{key}` cannot be {value!r:.80}")
    return value


def _scope(content: Mapping[str, Any], file: Path) -> str:
    scope = content.get("x-scope", "Namespaced")
    if scope not in _SCOPES:
        raise CatalogError(file, f"`x-scope` is none of {', '.join(_SCOPES)}")
    return str(scope)
