"""The configuration of a file: what the client says, over the configuration file that counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from celvet import schemas
from celvet.lint.config import Config, ConfigError, find, load
from celvet.lint.crds import SchemaSources
from celvet.lint.crds.locations import LocationError
from celvet.lint.engine import Settings
from celvet.lint.lsp.state.exclusion import Exclusion
from celvet.lint.lsp.state.options import Options, usable
from celvet.lint.model import Severity

_Stamp: TypeAlias = tuple[Path | None, int, int]


@dataclass(frozen=True, slots=True)
class Chosen:
    """How a file is judged, unless the `exclusion` covers it.

    `problem` tells why its configuration does not count; `mistakes` are what cannot
    be meant of the client's settings, which are left aside.
    """

    settings: Settings
    exclusion: Exclusion
    minimum: Severity = Severity.INFO
    problem: str = ""
    mistakes: tuple[str, ...] = ()


class Configuration:
    """The configuration of every file; a file that has changed on disk is read again.

    Settings that are the same are the same object, so that what was judged by
    them can be told from what was not.
    """

    def __init__(self) -> None:
        self.root = Path()
        # One value, replaced as a whole: a thread that judges while the client changes its mind
        # must not leave what it makes of the old options among what is known by the new ones.
        self._current: tuple[Options, dict[tuple[_Stamp, str], Chosen]] = (Options(), {})

    @property
    def client(self) -> Options:
        """What the client says."""
        return self._current[0]

    def configure(self, chosen: Options) -> None:
        """Take what the client says from now on."""
        self._current = (chosen, {})

    def of(self, file: Path) -> Chosen:
        """The configuration that counts for a file; never raises. For any thread."""
        client, known = self._current
        problem = ""
        try:
            path = self.root / client.config if client.config else find(file.parent)
            status = path.stat() if path else None
        except (ConfigError, OSError, ValueError) as error:
            path, status, problem = None, None, "" if client.config else str(error)
        stamp = (path, status.st_mtime_ns, status.st_size) if status else (None, 0, 0)
        key = (stamp, problem)
        return known.get(key) or known.setdefault(key, self._made(client, path, problem))

    def _made(self, told: Options, path: Path | None, problem: str) -> Chosen:
        config, crds = Config(), SchemaSources()
        client, mistakes = usable(told, self.root)
        try:
            config = self._with_client(client, load(path))
            crds = SchemaSources(config.crds, config.schema_location)
            crds.check()
            schemas.load(config.schemas)
        except (ConfigError, LocationError, schemas.CatalogError) as error:
            problem = str(error)
            config, crds = self._with_client(client, Config()), SchemaSources()
        settings = Settings(config.schemas, config.rules, config.substitute, crds=crds)
        minimum = client.min_severity or config.min_severity
        return Chosen(settings, Exclusion.of(config), minimum, problem, mistakes)

    def _with_client(self, client: Options, config: Config) -> Config:
        merged = config.with_schemas(tuple(map(Path, client.crds)), client.schema_location)
        return replace(merged, rules={**config.rules, **client.rules})
