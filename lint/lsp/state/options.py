"""What a client can set, in its section of the configuration or when it starts us."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from celvet.lint.crds import SchemaSources
from celvet.lint.crds.locations import LocationError
from celvet.lint.model import Severity
from celvet.lint.rules import ids

SECTION = "celvet"
"""The section of the client's configuration that is ours."""

_MAX_DELAY = 10_000
_SEVERITIES: Mapping[str, Severity | None] = {
    **{str(each): each for each in Severity},
    "off": None,
}


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


def usable(told: Options, root: Path) -> tuple[Options, tuple[str, ...]]:
    """What can be used of what a client says, its paths counted from a root; the rest, told."""
    mistakes = []
    if told.config and not _exists(root / told.config, Path.is_file):
        mistakes.append(f"the setting `{SECTION}.config` names `{told.config}`, which is no file")
    missing = [text for text in told.crds if not _exists(root / text, Path.exists)]
    mistakes += (
        f"the setting `{SECTION}.crds` names `{text}`, which is not there" for text in missing
    )
    locations = []
    for text in told.schema_location:
        place = text if text == "default" or "://" in text else str(root / text)
        try:
            SchemaSources(locations=(place,)).check()
            locations.append(place)
        except LocationError as error:
            mistakes.append(f"the setting `{SECTION}.schema-location` cannot be used: {error}")
    crds = tuple(str(root / text) for text in told.crds if text not in missing)
    return replace(told, crds=crds, schema_location=tuple(locations)), tuple(mistakes)


def _exists(path: Path, test: Callable[[Path], bool]) -> bool:
    try:
        return test(path)
    except OSError:  # a name too long for the system, say
        return False
