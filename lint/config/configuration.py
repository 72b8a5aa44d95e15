"""The configuration file: `.celvet.yaml`, or `[tool.celvet]` in `pyproject.toml`.

Both have the same keys; `celvet.schema.json` describes them, for editors too. The nearest file
above the current directory applies; `--config` names another. Paths and patterns are relative to
the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from celvet.lint.config.check import read_schema
from celvet.lint.config.table import ConfigError, ConfigTable, has_table, read_table
from celvet.lint.discovery.gitignore import ignore_pattern
from celvet.lint.engine.settings import FileRules
from celvet.lint.model import Severity
from celvet.record import field, record, replace

NAME = ".celvet.yaml"
SCHEMA = Path(__file__).with_name("celvet.schema.json")


@record
class Config:
    """The settings of a file, with defaults for missing ones.

    `rules` maps a rule's id to its severity; None switches the rule off; `files` does the same for
    the files of a pattern. `exclude` has patterns as
    in `.gitignore`. `substitute` has values for `${VAR}`. `targets` has versions of products, such
    as Flux; for other products the newest release is assumed. `crds` are files, directories and
    archives of CRDs, `schema_location` templates as for kubeconform. `baseline` is a file of
    findings that `celvet lint` hides.
    """

    path: Path | None = None
    schemas: tuple[Path, ...] = ()
    exclude: tuple[str, ...] = ()
    rules: Mapping[str, Severity | None] = field(default_factory=dict)
    files: tuple[FileRules, ...] = ()
    substitute: Mapping[str, str] = field(default_factory=dict)
    targets: Mapping[str, str] = field(default_factory=dict)
    crds: tuple[Path, ...] = ()
    schema_location: tuple[str, ...] = ()
    fail_on: Severity = Severity.WARNING
    min_severity: Severity = Severity.INFO
    baseline: Path | None = None

    def with_schemas(self, crds: tuple[Path, ...], locations: tuple[str, ...]) -> Config:
        """The configuration with further CRDs and schema locations, which take precedence."""
        return replace(
            self,
            crds=(*crds, *self.crds),
            schema_location=(*locations, *self.schema_location),
        )


def find(start: Path) -> Path | None:
    """The configuration file that applies to a directory; `.celvet.yaml` takes precedence."""
    for directory in (start, *start.parents):
        if (file := directory / NAME).is_file():
            return file
        project = directory / "pyproject.toml"
        if project.is_file() and has_table(project):
            return project
    return None


def load(path: Path | None) -> Config:
    """The configuration in a file, or the defaults for None.

    Raises `ConfigError` for a file that cannot be read or that its schema does not allow.
    """
    if path is None:
        return Config()
    table = read_table(path)
    table.check(read_schema(SCHEMA))
    fields: dict[str, Any] = {key.replace("-", "_"): value for key, value in table.values.items()}
    for key in ("exclude", "files"):
        _check_patterns(table, key, fields.get(key, ()))
    for key, convert in _CONVERSIONS.items():
        if key in fields:
            fields[key] = convert(path.parent, fields[key])
    return Config(path, **fields)


def severity_or_off(value: str | bool) -> Severity | None:
    """The severity with this name, None for `off`, which YAML 1.1 reads as false."""
    return Severity[value.upper()] if isinstance(value, str) and value != "off" else None


def located(directory: Path, text: str) -> str:
    """A template; unless it is a URL or `default`, it is relative to the directory."""
    return text if text == "default" or "://" in text else str(directory / text)


def _check_patterns(table: ConfigTable, key: str, patterns: Iterable[str]) -> None:
    for pattern in patterns:
        try:
            ignore_pattern(pattern)
        except ValueError:
            raise ConfigError(
                f"{table.place(key)}: `{key}` has `{pattern:.60}`,"
                " which is not a .gitignore pattern; remove it"
            ) from None


def _severities(rules: Mapping[str, str | bool]) -> dict[str, Severity | None]:
    return {rule: severity_or_off(severity) for rule, severity in rules.items()}


def _paths(directory: Path, names: list[str]) -> tuple[Path, ...]:
    return tuple(directory / name for name in names)


_CONVERSIONS: Mapping[str, Callable[[Path, Any], Any]] = {
    "schemas": _paths,
    "crds": _paths,
    "exclude": lambda _, patterns: tuple(patterns),
    "schema_location": lambda directory, texts: tuple(located(directory, text) for text in texts),
    "rules": lambda _, rules: _severities(rules),
    "files": lambda directory, files: tuple(
        FileRules(str(directory), pattern, _severities(rules)) for pattern, rules in files.items()
    ),
    "baseline": lambda directory, name: directory / name,
    "fail_on": lambda _, name: severity_or_off(name),
    "min_severity": lambda _, name: severity_or_off(name),
}
"""Field -> a function of the file's directory and of the value in the file."""
