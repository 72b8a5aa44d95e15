"""The configuration file: `.celvet.yaml`, or `[tool.celvet]` in `pyproject.toml`."""

from celvet.lint.config.configuration import (
    NAME,
    SCHEMA,
    Config,
    find,
    load,
    located,
    severity_or_off,
)

__all__ = ["NAME", "SCHEMA", "Config", "find", "load", "located", "severity_or_off"]
