"""The configuration file: `.celvet.yaml`, or `[tool.celvet]` in `pyproject.toml`."""

from celvet.lint.config.configuration import (
    NAME,
    SCHEMA,
    Config,
    find,
    load,
    load_nearest,
    located,
    severity_or_off,
    without_remote,
)

__all__ = [
    "NAME",
    "SCHEMA",
    "Config",
    "find",
    "load",
    "load_nearest",
    "located",
    "severity_or_off",
    "without_remote",
]
