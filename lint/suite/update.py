"""Writes what came into a test file, in the place of what was expected."""

from __future__ import annotations

import json
from collections.abc import Iterable

from lint.locate import Locator
from lint.locate.edits import Edit, edited
from lint.manifest import Manifest
from lint.model import Value, Where


def updated(manifest: Manifest, answers: Iterable[tuple[Where, Value]]) -> bytes:
    """The content of the file with each value in its place.

    Comments, quotes and layout elsewhere stay as they are; the file stays in
    UTF-8, with its byte order mark if it has one.
    """
    locator = Locator(manifest)
    edits = [Edit(locator.offsets(where), _written(value)) for where, value in answers]
    return (("\ufeff" if manifest.bom else "") + edited(manifest.text, edits)).encode()


def _written(value: Value) -> str:
    """A value in YAML's flow style."""
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_written(item)}' for key, item in value.items())}}}"
    if isinstance(value, str) and value.isalpha() and value not in ("True", "False"):
        return value
    return json.dumps(value, ensure_ascii=False)
