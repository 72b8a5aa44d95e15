"""What a client sets, in its section of the configuration or when it starts the server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from celvet.lint.config import SCHEMA, located, severity_or_off
from celvet.lint.config.check import Schema, mistakes, read_schema
from celvet.lint.crds import SchemaSources
from celvet.lint.crds.locations import LocationError
from celvet.lint.model import Severity
from celvet.record import field, record, replace

SECTION = "celvet"
"""The section of the client's configuration."""

_SHARED = ("rules", "min-severity", "crds", "schema-location")
"""Keys that the configuration file has as well."""

_MAX_DELAY = 10_000


@record
class ClientSettings:
    """What a client can set; see `docs/editors.md` for its keys.

    `delay` is in milliseconds: diagnostics are made when nothing has been typed for that long.
    Paths count from the root of the workspace. `mistakes` has a message for each setting that is
    ignored because its value is not allowed.
    """

    config: str = ""
    rules: Mapping[str, Severity | None] = field(default_factory=dict)
    min_severity: Severity | None = None
    crds: tuple[str, ...] = ()
    schema_location: tuple[str, ...] = ()
    delay: int = 200
    mistakes: tuple[str, ...] = ()


def client_settings(values: Any) -> ClientSettings:
    """The settings in a client's section; never raises, whatever it holds."""
    if not isinstance(values, Mapping):
        return ClientSettings()
    wrong = list(mistakes(values, _schema()))
    options: dict[str, Any] = {
        key.replace("-", "_"): value
        for key, value in values.items()
        if str(key) not in {mistake.keys[0] for mistake in wrong}
    }
    for key in ("crds", "schema_location"):
        options[key] = tuple(options.get(key, ()))
    options["rules"] = {
        rule: severity_or_off(severity) for rule, severity in options.get("rules", {}).items()
    }
    if "min_severity" in options:
        options["min_severity"] = severity_or_off(options["min_severity"])
    messages = (f"editor settings: {mistake.message(SECTION)}" for mistake in wrong)
    return ClientSettings(**options, mistakes=tuple(messages))


@cache
def _schema() -> Schema:
    of_file = read_schema(SCHEMA)
    properties = {
        "config": of_file["$defs"]["texts"]["items"],
        **{key: of_file["properties"][key] for key in _SHARED},
        "delay": {
            "type": "integer",
            "minimum": 0,
            "maximum": _MAX_DELAY,
            "errorMessage": f"must be a number of milliseconds up to {_MAX_DELAY}",
        },
    }
    return {**of_file, "properties": properties}


def without_missing_paths(
    settings: ClientSettings, root: Path
) -> tuple[ClientSettings, tuple[str, ...]]:
    """The settings without paths that do not exist, and a message for each of those.

    Paths are absolute in the result if `root` is.
    """
    problems = []
    if settings.config and not _exists(root / settings.config, Path.is_file):
        problems.append(f"`{SECTION}.config` names `{settings.config}`, which is not a file")
    missing = [text for text in settings.crds if not _exists(root / text, Path.exists)]
    problems += (f"`{SECTION}.crds` names `{text}`, which does not exist" for text in missing)
    locations = []
    for place in (located(root, text) for text in settings.schema_location):
        try:
            SchemaSources(locations=(place,)).check()
            locations.append(place)
        except LocationError as error:
            problems.append(f"`{SECTION}.schema-location`: {error}")
    crds = tuple(str(root / text) for text in settings.crds if text not in missing)
    messages = tuple(f"editor settings: {problem}" for problem in problems)
    return replace(settings, crds=crds, schema_location=tuple(locations)), messages


def _exists(path: Path, test: Callable[[Path], bool]) -> bool:
    try:
        return test(path)
    except OSError:  # for example, the name is too long for the system
        return False
