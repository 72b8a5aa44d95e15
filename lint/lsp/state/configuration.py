"""The configuration of an open file: the client's settings over the configuration file."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from celvet import schemas
from celvet.lint.config import Config, find, load, without_remote
from celvet.lint.config.table import ConfigError
from celvet.lint.crds import SchemaSources
from celvet.lint.crds.locations import LocationError
from celvet.lint.discovery.gitignore import IgnoreList
from celvet.lint.engine import Settings
from celvet.lint.lsp.state.client_settings import ClientSettings, without_missing_paths
from celvet.lint.model import Severity
from celvet.record import record, replace

_Stamp: TypeAlias = tuple[Path | None, int, int]
"""Path, time of the last change in nanoseconds, and size of a configuration file."""


@record
class FileConfiguration:
    """What applies to a file.

    `problem` says why its configuration file is ignored, `mistakes` why some of the client's
    settings are.
    """

    settings: Settings
    exclude: tuple[str, ...] = ()
    exclude_base: Path = Path()
    minimum: Severity = Severity.INFO
    problem: str = ""
    mistakes: tuple[str, ...] = ()

    def excludes(self, file: Path) -> bool:
        """Whether the patterns in `exclude`, which count from `exclude_base`, match a file."""
        if not self.exclude or not file.is_relative_to(self.exclude_base):
            return False
        relative_path = file.relative_to(self.exclude_base).as_posix()
        return IgnoreList.by(self.exclude).holds(relative_path)


class Configuration:
    """The configuration of every file; reads a configuration file again when it has changed.

    Equal settings are the same object: a result made with them is found by identity.
    """

    def __init__(self) -> None:
        self.root = Path()
        # Replaced as a whole, so that a thread that still reads the configuration for the old
        # settings does not put its result among those for the new ones.
        self._current: tuple[ClientSettings, dict[tuple[_Stamp, str], FileConfiguration]] = (
            ClientSettings(),
            {},
        )

    @property
    def client(self) -> ClientSettings:
        """The settings that the editor has sent, which go before files."""
        return self._current[0]

    def configure(self, client: ClientSettings) -> None:
        """Replace the client's settings."""
        self._current = (client, {})

    def of(self, file: Path) -> FileConfiguration:
        """The configuration that applies to a file; never raises. For any thread."""
        client, configurations = self._current
        problem = ""
        try:
            path = self.root / client.config if client.config else find(file.parent)
            status = path.stat() if path else None
        except (ConfigError, OSError, ValueError) as error:
            path, status, problem = None, None, "" if client.config else str(error)
        stamp = (path, status.st_mtime_ns, status.st_size) if status else (None, 0, 0)
        key = (stamp, problem)
        return configurations.get(key) or configurations.setdefault(
            key, self._load(client, path, problem)
        )

    def _load(self, client: ClientSettings, path: Path | None, problem: str) -> FileConfiguration:
        client, mistakes = without_missing_paths(client, self.root)
        try:
            config = load(path) if client.config else without_remote(load(path))
            config = _with_client(client, config)
            crds = config.schema_sources()
            crds.check()
            schemas.load(config.schemas)
        except (ConfigError, LocationError, schemas.CatalogError) as error:
            problem = str(error)
            config, crds = _with_client(client, Config()), SchemaSources()
        return FileConfiguration(
            Settings(
                config.schemas,
                config.rules,
                config.substitute,
                crds=crds,
                fixes=False,  # code actions request them
                targets=tuple(config.targets.items()),
                files=config.files,
            ),
            config.exclude,
            config.path.parent if config.path else Path(),
            client.min_severity or config.min_severity,
            problem,
            (*mistakes, *config.refusals),
        )


def _with_client(client: ClientSettings, config: Config) -> Config:
    config_with_schemas = config.with_schemas(tuple(map(Path, client.crds)), client.schema_location)
    return replace(config_with_schemas, rules={**config.rules, **client.rules})
