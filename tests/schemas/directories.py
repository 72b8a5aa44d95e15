"""Writing a schema directory as a test case describes it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.files import write_files

_DEEP = {"DEEP": "[" * 100_000, "DEEP SCHEMA": '{"items": ' * 600 + "{}" + "}" * 600}


def write(directory: Path, files: Mapping[str, Any]) -> Path:
    """The directory with the files, JSON unless the content is a text."""
    return write_files(directory, {name: _text(content) for name, content in files.items()})


def _text(content: Any) -> str:
    if isinstance(content, Mapping):
        return json.dumps(_completed(content))
    return _DEEP.get(content, str(content))


def _completed(content: Mapping[str, Any]) -> dict[str, Any]:
    completion = {key: value for key, value in content.items() if key != "KIND"}
    if "KIND" in content:
        names = {"group": "acme.example", "version": "v1", "kind": content["KIND"]}
        completion["x-kubernetes-group-version-kind"] = [names]
    return completion
