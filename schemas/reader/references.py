"""Resolving `$ref`: afterwards a schema is a finite tree with no references.

That keeps validation fast and its depth bounded. A reference leads to `$defs` of the same file or
of a file in `shared/`. The keys beside `$ref` are merged into the target: `properties` are united,
and any other key that both have is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from celvet.regex import regex
from celvet.schemas.errors import CatalogError

_REFERENCE = regex(r"(?:\.\./shared/(?P<file>[\w.-]+\.json))?#/\$defs/(?P<name>[\w.-]+)")


class References:
    """Resolves the references of the schemas of one directory.

    `read` gives the content of a JSON file; each target is resolved once.
    """

    def __init__(self, directory: Path, read: Callable[[Path], Any]) -> None:
        self._shared = directory / "shared"
        self._read = read
        self._resolved: dict[tuple[Path, str], Mapping[str, Any]] = {}
        self._open: list[tuple[Path, str]] = []

    def resolve(self, node: Any, file: Path) -> Any:
        """The node of a file with its references replaced by their targets.

        Raises `CatalogError` for a reference that leads nowhere or into itself.
        """
        if isinstance(node, list):
            return [self.resolve(item, file) for item in node]
        if not isinstance(node, Mapping):
            return node
        rest = {
            key: self.resolve(value, file)
            for key, value in node.items()
            if key not in ("$ref", "$defs")
        }
        reference = node.get("$ref")
        if reference is None:
            return rest
        return _merged(self._target(reference, file), rest, file)

    def _target(self, reference: Any, file: Path) -> Mapping[str, Any]:
        match = isinstance(reference, str) and _REFERENCE.fullmatch(reference)
        if not match:
            raise CatalogError(file, f"`$ref` {reference!r} is no `[../shared/FILE]#/$defs/NAME`")
        source = self._shared / match["file"] if match["file"] else file
        key = (source, match["name"])
        if key not in self._resolved:
            self._resolved[key] = self._resolve_target(key, file)
        return self._resolved[key]

    def _resolve_target(self, key: tuple[Path, str], file: Path) -> Mapping[str, Any]:
        source, name = key
        if key in self._open:
            raise CatalogError(file, f"`$ref` to `{name}` leads back into itself")
        if not source.is_file():
            raise CatalogError(file, f"`$ref` to {source}, which does not exist")
        content = self._read(source)
        definitions = content.get("$defs") if isinstance(content, Mapping) else None
        if not isinstance(definitions, Mapping) or not isinstance(definitions.get(name), Mapping):
            raise CatalogError(file, f"`$ref` to `{name}`, which is not in the `$defs` of {source}")
        self._open.append(key)
        resolved: Mapping[str, Any] = self.resolve(definitions[name], source)
        self._open.pop()
        return resolved


def _merged(target: Mapping[str, Any], rest: Mapping[str, Any], file: Path) -> dict[str, Any]:
    both = {key for key in target if key in rest} - {"properties", "$comment"}
    fields = [schema.get("properties", {}) for schema in (target, rest)]
    both |= fields[0].keys() & fields[1].keys()
    if both:
        raise CatalogError(file, f"`$ref` and its siblings both have {sorted(both)}")
    merged = {**target, **rest}
    if any(fields):
        merged["properties"] = {**fields[0], **fields[1]}
    return merged
