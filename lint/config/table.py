"""Reads a configuration file: keys, values, and the line of each key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from celvet.lint.config.check import Schema, mistakes
from celvet.lint.manifest.source.files import read_source
from celvet.record import record
from celvet.wrong_input import WrongInputError

if TYPE_CHECKING:
    from celvet.lint.manifest import Manifest, Problem
    from celvet.lint.model import Path


class ConfigError(WrongInputError):
    """An unusable configuration; the message names the file, the key and the remedy."""


@record
class ConfigTable:
    """The keys and values of a file; `line` counts from 1 and is 0 if it is unknown."""

    path: FilePath
    values: Mapping[str, Any]
    line: Callable[[Path], int]

    def place(self, *keys: str | int) -> str:
        """The file, with the line of a key if that is known: `.celvet.yaml:3`."""
        return _place(self.path, self.line(keys))

    def check(self, schema: Schema) -> None:
        """Raise `ConfigError` for the first value that a schema does not allow."""
        for mistake in mistakes(self.values, schema):
            raise ConfigError(f"{self.place(*mistake.keys)}: {mistake.message()}")


def read_table(path: FilePath) -> ConfigTable:
    """The keys and values of a YAML file, or of `[tool.celvet]` in a TOML file.

    Raises `ConfigError` for a file that cannot be read or has no mapping.
    """
    if path.suffix != ".toml":
        return yaml_table(path, _bytes(path))
    values = _celvet_table(_document(path, _bytes(path)))
    return _table(path, values, lambda _: 0)


def yaml_table(path: FilePath, content: bytes) -> ConfigTable:
    """The keys and values of a YAML file with this content; raises `ConfigError`."""
    from celvet.lint.locate import Locator  # YAML is needed only if there is such a file
    from celvet.lint.manifest import read
    from celvet.lint.model import Where

    manifest = read(_text(path, content), str(path), substitute=False)
    locator = Locator(manifest)
    for problem in manifest.all_problems():
        place = _place(path, locator.place(problem.where).line)
        raise ConfigError(f"{place}: {_wording(manifest, problem)}")
    if len(manifest.documents) > 1:
        place = _place(path, locator.place(Where(2)).line)
        raise ConfigError(f"{place}: a second document; write all keys into the first")
    values = manifest.documents[0].value if manifest.documents else None
    return _table(path, values, lambda keys: locator.place(Where(1, keys, on_key=True)).line)


def has_table(path: FilePath) -> bool:
    """Whether a `pyproject.toml` has `[tool.celvet]`; raises `ConfigError` for invalid TOML.

    Most do not mention it, and reading them takes a twentieth of a run on one file.
    """
    content = _bytes(path)
    may_have_table = b"celvet" in content or b"\\" in content  # a letter may be escaped
    return may_have_table and _celvet_table(_document(path, content)) is not None


def _table(path: FilePath, values: Any, line: Callable[[Path], int]) -> ConfigTable:
    values = {} if values is None else values
    if not isinstance(values, Mapping):
        raise ConfigError(f"{path}: the configuration is not a mapping of keys to values")
    return ConfigTable(path, values, line)


def _celvet_table(document: dict[str, Any]) -> Any:
    tool = document.get("tool")
    return tool.get("celvet") if isinstance(tool, Mapping) else None


def _document(path: FilePath, content: bytes) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(_text(path, content))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: invalid TOML: {error}") from None


def _wording(manifest: Manifest, problem: Problem) -> str:
    """The problem, without what it means in a cluster."""
    span = problem.where.source
    text = manifest.text[span.start : span.end] if span else ""
    match problem.kind:
        case "key-text":
            return f"the key `{text:.60}` is not a text; put it in quotes"
        case "duplicate-key":
            return f"the key `{text:.60}` occurs twice; remove one of them"
        case "helm-template":
            return "`{{` starts a template, which is not rendered here"
    return problem.message


def _place(path: FilePath, line: int) -> str:
    return f"{path}:{line}" if line else str(path)


def _bytes(path: FilePath) -> bytes:
    try:
        return bytes(read_source(path))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from None


def _text(path: FilePath, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8 text") from None
