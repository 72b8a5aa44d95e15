"""The configuration file: `.celvet.yaml`, or `[tool.celvet]` in `pyproject.toml`.

Both hold the same keys. The nearest one above the current directory counts;
`--config` names another. Paths and patterns in it count from where it lies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from celvet.lint.config_table import ConfigError, has_table, read_table
from celvet.lint.model import Severity
from celvet.lint.similar import similar

__all__ = ["NAME", "Config", "ConfigError", "find", "load"]

NAME = ".celvet.yaml"


@dataclass(frozen=True, slots=True)
class Config:
    """What the configuration says; the defaults where it says nothing.

    `rules` maps a rule's id to the severity it shall have, None switches it
    off. `exclude` has patterns in the language of `.gitignore`.
    `substitute` gives values to `${VAR}`. `crds` are files, directories and
    archives of CRDs, `schema_location` templates as kubeconform has them.
    """

    path: Path | None = None
    schemas: tuple[Path, ...] = ()
    exclude: tuple[str, ...] = ()
    rules: Mapping[str, Severity | None] = field(default_factory=dict)
    substitute: Mapping[str, str] = field(default_factory=dict)
    crds: tuple[Path, ...] = ()
    schema_location: tuple[str, ...] = ()
    fail_on: Severity = Severity.ERROR
    min_severity: Severity = Severity.INFO

    def with_schemas(self, crds: tuple[Path, ...], locations: tuple[str, ...]) -> Config:
        """The configuration with further CRDs and schema locations, which go first."""
        return replace(
            self,
            crds=(*crds, *self.crds),
            schema_location=(*locations, *self.schema_location),
        )


def find(start: Path) -> Path | None:
    """The configuration file that counts for a directory; `.celvet.yaml` goes first."""
    for directory in (start, *start.parents):
        if (own := directory / NAME).is_file():
            return own
        project = directory / "pyproject.toml"
        if project.is_file() and has_table(project):
            return project
    return None


def load(path: Path | None) -> Config:
    """The configuration in a file, or the defaults for None.

    Raises `ConfigError` for what cannot be read, is no mapping, has a key
    unknown here or a value of the wrong kind.
    """
    if path is None:
        return Config()
    table = read_table(path)
    values = {}
    for key, value in table.values.items():
        try:
            _known(key, _READERS)
            values[key.replace("-", "_")] = _READERS[key](path, value)
        except _MistakeError as mistake:
            keys = (key, *mistake.below)
            raise ConfigError(f"{table.place(*keys)}: {mistake.told(keys)}") from None
    return Config(path, **values)


class _MistakeError(Exception):
    """Says what is wrong with a key, for which `{}` stands, or with one `below` it."""

    def __init__(self, words: str, *below: str) -> None:
        super().__init__(words)
        self.words = words
        self.below = below

    def told(self, keys: tuple[str, ...]) -> str:
        """The message about the key that is reached by way of these."""
        return self.words.replace("{}", f"`{'.'.join(keys)}`", 1)


def _known(key: str, names: Iterable[str], *below: str) -> None:
    if key in (known := list(names)):
        return
    near = similar(key, known)
    remedy = f"did you mean `{near}`?" if near else f"known are {', '.join(known)}"
    raise _MistakeError(f"unknown key {{}}; {remedy}", *below)


def _strings(path: Path, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _MistakeError("{} must be a list of texts")
    if any("\0" in item for item in value):
        raise _MistakeError("{} has a NUL character; remove it")
    return tuple(value)


def _patterns(path: Path, value: Any) -> tuple[str, ...]:
    from pathspec import GitIgnoreSpec

    for pattern in (patterns := _strings(path, value)):
        try:
            GitIgnoreSpec.from_lines([pattern])
        except ValueError:
            raise _MistakeError(
                f"{{}} has `{pattern:.60}`, which is no pattern as in .gitignore; remove it"
            ) from None
    return patterns


def _paths(path: Path, value: Any) -> tuple[Path, ...]:
    return tuple(path.parent / item for item in _strings(path, value))


def _locations(path: Path, value: Any) -> tuple[str, ...]:
    """Templates; one that is neither a URL nor `default` counts from the file's directory."""
    return tuple(
        text if text == "default" or "://" in text else str(path.parent / text)
        for text in _strings(path, value)
    )


def _texts(path: Path, value: Any) -> dict[str, str]:
    if not isinstance(value, Mapping) or not all(isinstance(text, str) for text in value.values()):
        raise _MistakeError(
            "{} must be a mapping of names to texts; put numbers and booleans in quotes"
        )
    return dict(value)


def _severity(path: Path, value: Any) -> Severity:
    if not isinstance(value, str) or value not in _SEVERITIES:
        raise _MistakeError(f"{{}} must be one of {', '.join(_SEVERITIES)}")
    return _SEVERITIES[value]


_SEVERITIES = {str(severity): severity for severity in Severity}


def _rules(path: Path, value: Any) -> dict[str, Severity | None]:
    """Ids are checked against the rules there are, so that a misspelt one is not lost."""
    from celvet.lint.rules import ids

    if not isinstance(value, Mapping):
        raise _MistakeError("{} must be a mapping of rule ids to off, info, warning or error")
    for rule in value:
        _known(rule, ids(), rule)
    return {rule: _switch(rule, setting) for rule, setting in value.items()}


def _switch(rule: str, value: Any) -> Severity | None:
    """YAML 1.1 reads a bare `off` as false."""
    if value == "off" or value is False:
        return None
    if not isinstance(value, str) or value not in _SEVERITIES:
        raise _MistakeError(f"{{}} must be one of off, {', '.join(_SEVERITIES)}", rule)
    return _SEVERITIES[value]


_READERS: dict[str, Callable[[Path, Any], Any]] = {
    "schemas": _paths,
    "exclude": _patterns,
    "rules": _rules,
    "substitute": _texts,
    "crds": _paths,
    "schema-location": _locations,
    "fail-on": _severity,
    "min-severity": _severity,
}
"""Key of the file -> what reads its value; raises `_MistakeError`."""
