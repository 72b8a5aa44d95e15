"""The configuration of a file: what the client says, over the configuration file that counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import schemas
from lint.config import Config, ConfigError, find, load
from lint.crds import Sources
from lint.crds.locations import LocationError
from lint.engine import Settings
from lint.model import Severity
from lint.rules import ids

SECTION = "celvet"
"""The section of the client's configuration that is ours."""

_MAX_DELAY = 10_000
_SEVERITIES: Mapping[str, Severity | None] = {
    **{str(each): each for each in Severity},
    "off": None,
}
_Stamp: TypeAlias = tuple[Path | None, int, int]


@dataclass(frozen=True, slots=True)
class Options:
    """What a client can set; see `docs/editors.md` for its keys.

    `delay` are the milliseconds without a keystroke after which diagnostics are
    made. Paths count from the root of the workspace. `mistakes` are what could
    not be understood, a message each.
    """

    config: str = ""
    rules: Mapping[str, Severity | None] = field(default_factory=dict)
    min_severity: Severity | None = None
    crds: tuple[str, ...] = ()
    schema_location: tuple[str, ...] = ()
    delay: int = 200
    mistakes: tuple[str, ...] = ()


def options(values: Any) -> Options:
    """What a client's section says; never raises, whatever it holds."""
    found: dict[str, Any] = {}
    mistakes = []
    for key, value in values.items() if isinstance(values, Mapping) else ():
        try:
            found[key.replace("-", "_")] = _READERS[key](value)
        except KeyError:
            mistakes.append(f"unknown setting `{SECTION}.{key}`; known are {', '.join(_READERS)}")
        except ValueError as error:
            mistakes.append(f"the setting `{SECTION}.{key}` {error}")
    return Options(**found, mistakes=tuple(mistakes))


def _text(value: Any) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise ValueError("must be a text")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError("must be a list of texts")  # noqa: TRY004 - a value of the user's
    return tuple(map(_text, value))


def _rules(value: Any) -> dict[str, Severity | None]:
    if not isinstance(value, Mapping) or not set(value) <= set(ids()):
        raise ValueError("must map ids of rules to severities")
    return {rule: _severity(each, *_SEVERITIES) for rule, each in value.items()}


def _severity(value: Any, *names: str) -> Severity | None:
    if value not in names:
        raise ValueError(f"must say {', '.join(names)}")
    return _SEVERITIES[value]


def _delay(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= _MAX_DELAY:
        raise ValueError(f"must be a number of milliseconds up to {_MAX_DELAY}")
    return value


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "config": _text,
    "rules": _rules,
    "min-severity": lambda value: _severity(value, *map(str, Severity)),
    "crds": _texts,
    "schema-location": _texts,
    "delay": _delay,
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """How a file is judged; `problem` tells why its configuration does not count."""

    settings: Settings
    minimum: Severity = Severity.INFO
    problem: str = ""


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
            path, status, problem = None, None, str(error)
        stamp = (path, status.st_mtime_ns, status.st_size) if status else (None, 0, 0)
        key = (stamp, problem)
        return known.get(key) or known.setdefault(key, self._made(client, path, problem))

    def _made(self, client: Options, path: Path | None, problem: str) -> Chosen:
        config, crds = Config(), Sources()
        try:
            config = self._with_client(client, load(path))
            crds = Sources(config.crds, config.schema_location)
            crds.check()
            schemas.load(config.schemas)
        except (ConfigError, LocationError, schemas.CatalogError) as error:
            problem = str(error)
            config, crds = self._with_client(client, Config()), Sources()
        settings = Settings(config.schemas, config.rules, config.substitute, crds=crds)
        return Chosen(settings, client.min_severity or config.min_severity, problem)

    def _with_client(self, client: Options, config: Config) -> Config:
        crds = tuple(self.root / text for text in client.crds)
        merged = config.with_schemas(crds, client.schema_location)
        return replace(merged, rules={**config.rules, **client.rules})
