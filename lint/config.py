"""The configuration file: `.celvet.yaml`, or `[tool.celvet]` in `pyproject.toml`.

Both hold the same keys. The nearest one above the current directory counts;
`--config` names another. Directories named in it count from where it lies.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lint.model import Severity

NAME = ".celvet.yaml"


class ConfigError(Exception):
    """A configuration that cannot be used; the text names the file, the key and the remedy."""


@dataclass(frozen=True, slots=True)
class Config:
    """What the configuration says; the defaults where it says nothing.

    `rules` maps a rule's id to the severity it shall have, None switches it
    off. `substitute` gives values to `${VAR}`.
    """

    path: Path | None = None
    schemas: tuple[Path, ...] = ()
    exclude: tuple[str, ...] = ()
    rules: Mapping[str, Severity | None] = field(default_factory=dict)
    substitute: Mapping[str, str] = field(default_factory=dict)
    fail_on: Severity = Severity.ERROR
    min_severity: Severity = Severity.INFO


def find(start: Path) -> Path | None:
    """The configuration file that counts for a directory; `.celvet.yaml` goes first."""
    for directory in (start, *start.parents):
        if (own := directory / NAME).is_file():
            return own
        project = directory / "pyproject.toml"
        if project.is_file() and "celvet" in _toml(project).get("tool", {}):
            return project
    return None


def load(path: Path | None) -> Config:
    """The configuration in a file, or the defaults for None.

    Raises `ConfigError` for what cannot be read, is no mapping, has a key
    unknown here or a value of the wrong kind.
    """
    if path is None:
        return Config()
    table = _table(path)
    if not isinstance(table, Mapping):
        raise ConfigError(f"{path}: the configuration is no mapping of keys to values")
    values = {}
    for key, value in table.items():
        name = _known(path, "", str(key), _READERS)
        try:
            values[name.replace("-", "_")] = _READERS[name](path, value)
        except _WrongValueError as wrong:
            raise ConfigError(f"{path}: `{name}` must be {wrong}") from None
    return Config(path, **values)


class _WrongValueError(Exception):
    """Says what the value must be."""


def _table(path: Path) -> Any:
    if path.suffix == ".toml":
        return _toml(path).get("tool", {}).get("celvet", {})
    return _yaml(path)


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(path))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: no valid TOML: {error}") from None


def _yaml(path: Path) -> Any:
    from lint.manifest import read  # YAML is needed only where there is such a file

    manifest = read(_text(path), str(path))
    problems = [*manifest.problems, *(each for doc in manifest.documents for each in doc.problems)]
    if problems:
        raise ConfigError(f"{path}: {problems[0].message}")
    values = [document.value for document in manifest.documents]
    return {} if not values or values[0] is None else values[0]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not a text in UTF-8") from None


def _known(path: Path, within: str, key: str, names: Iterable[str]) -> str:
    if key in (known := list(names)):
        return key
    near = difflib.get_close_matches(key, known, n=1)
    what = f"unknown key `{key}`{within}"
    raise ConfigError(
        f"{path}: {what}; "
        + (f"did you mean `{near[0]}`?" if near else f"known are {', '.join(known)}")
    )


def _strings(path: Path, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _WrongValueError("a list of texts")
    return tuple(value)


def _directories(path: Path, value: Any) -> tuple[Path, ...]:
    return tuple(path.parent / item for item in _strings(path, value))


def _texts(path: Path, value: Any) -> dict[str, str]:
    if not isinstance(value, Mapping) or not all(isinstance(text, str) for text in value.values()):
        raise _WrongValueError("a mapping of names to texts; put numbers and booleans in quotes")
    return dict(value)


def _severity(path: Path, value: Any) -> Severity:
    names = {str(severity): severity for severity in Severity}
    if value not in names:
        raise _WrongValueError(f"one of {', '.join(names)}")
    return names[value]


def _rules(path: Path, value: Any) -> dict[str, Severity | None]:
    """Ids are checked against the rules there are, so that a misspelt one is not lost."""
    from lint.rules import ids

    if not isinstance(value, Mapping):
        raise _WrongValueError("a mapping of rule ids to off, info, warning or error")
    return {
        _known(path, " in `rules`", str(rule), ids()): _switch(path, setting)
        for rule, setting in value.items()
    }


def _switch(path: Path, value: Any) -> Severity | None:
    """YAML 1.1 reads a bare `off` as false."""
    return None if value in ("off", False) else _severity(path, value)


_READERS: dict[str, Callable[[Path, Any], Any]] = {
    "schemas": _directories,
    "exclude": _strings,
    "rules": _rules,
    "substitute": _texts,
    "fail-on": _severity,
    "min-severity": _severity,
}
"""Key of the file -> what reads its value; raises `_WrongValueError`."""
