"""The configuration file: `.celvet.yaml`, or `[tool.celvet]` in `pyproject.toml`.

Both have the same keys; `celvet.schema.json` describes them, for editors too. The nearest file
above the current directory applies, but none outside the repository; `--config` names another.
Paths and patterns are relative to the file.

Whoever opens a pull request can change a file that celvet finds itself. It may therefore not make
celvet fetch anything without the user's consent, and only over HTTPS.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celvet.lint.config.check import read_schema
from celvet.lint.config.table import ConfigError, ConfigTable, has_table, read_table
from celvet.lint.discovery.gitignore import ignore_pattern
from celvet.lint.discovery.root import is_special, repository
from celvet.lint.engine.settings import FileRules
from celvet.lint.model import Severity
from celvet.record import field, record, replace

if TYPE_CHECKING:
    from celvet.lint.crds import SchemaSources

NAME = ".celvet.yaml"
SCHEMA = Path(__file__).with_name("celvet.schema.json")
ALLOW_REMOTE = "CELVET_ALLOW_REMOTE"
"""The environment variable that allows a file that celvet found to name remote schemas."""


@record
class Config:
    """The settings of a file, with defaults for missing ones.

    `rules` maps a rule's id to its severity; None switches the rule off; `files` does the same for
    the files of a pattern. `exclude` has patterns as
    in `.gitignore`. `substitute` has values for `${VAR}`. `targets` has versions of products, such
    as Flux; for other products the newest release is assumed. `crds` are files, directories and
    archives of CRDs, `schema_location` templates as for kubeconform; `refusals` say which of these
    are not used, and why. `baseline` is a file of findings that `celvet lint` hides.
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
    refusals: tuple[str, ...] = ()
    fail_on: Severity = Severity.WARNING
    min_severity: Severity = Severity.INFO
    baseline: Path | None = None

    def with_schemas(self, crds: tuple[Path, ...], locations: tuple[str, ...]) -> Config:
        """The configuration with further CRDs and schema locations, which take precedence."""
        return replace(
            self, crds=(*crds, *self.crds), schema_location=(*locations, *self.schema_location)
        )

    def schema_sources(self) -> SchemaSources:
        """Where to find schemas."""
        from celvet.lint.crds import SchemaSources

        return SchemaSources(self.crds, self.schema_location, self.refusals)


def find(start: Path) -> Path | None:
    """The configuration file that applies to a directory; `.celvet.yaml` takes precedence.

    It is in the repository. Without one, it is in this directory or above it, and belongs to the
    user: `/tmp/.celvet.yaml` may be anybody's.
    """
    root = repository(start)
    for directory in (start, *start.parents):
        if (file := directory / NAME).is_file() and (root or _is_own(file)):
            return file
        project = directory / "pyproject.toml"
        if project.is_file() and (root or _is_own(project)) and has_table(project):
            return project
        if directory == root:
            break
    return None


def _is_own(file: Path) -> bool:
    """Whether a file belongs to the user or to root; true where files have no such owner."""
    return not hasattr(os, "getuid") or file.stat().st_uid in (0, os.getuid())


def load_nearest(start: Path, *, allow_remote: bool = False) -> Config:
    """The configuration that applies to a directory, see `find`; raises `ConfigError`."""
    return without_remote(load(find(start)), allow_remote=allow_remote)


def without_remote(config: Config, *, allow_remote: bool = False) -> Config:
    """The configuration in a file that celvet found, without what it must not make celvet fetch.

    The user allows remote schema locations here or by the environment variable `ALLOW_REMOTE`.
    """
    may_load = allow_remote or os.environ.get(ALLOW_REMOTE, "") not in ("", "0", "false")
    refusals = {text: _refusal(text, allowed=may_load) for text in config.schema_location}
    return replace(
        config,
        schema_location=tuple(text for text, reason in refusals.items() if not reason),
        refusals=tuple(
            f"schema location {text}: {reason}; what it describes is not checked"
            for text, reason in refusals.items()
            if reason
        ),
    )


def _refusal(location: str, *, allowed: bool) -> str:
    """Why a schema location in a file that celvet found is not used; empty if it is."""
    scheme, separator, _ = location.lower().partition("://")
    if not separator and location != "default":
        return ""
    if separator and scheme != "https":
        return "only `https` in a configuration that celvet found; name the file with --config"
    return "" if allowed else f"not fetched without {ALLOW_REMOTE}=1 or --config"


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
    config = Config(path, **fields)
    entries = {"schemas": config.schemas, "crds": config.crds, "baseline": (config.baseline,)}
    for key, paths in entries.items():
        for named_path in filter(None, paths):
            if is_special(named_path):
                raise ConfigError(f"{table.place(key)}: {named_path} is a device or a pipe")
    return config


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
