"""The policy file: YAML, read again when its content changes.

enforce: deny                  # deny, warn, audit
rules: {missing-failed: off}   # deny, warn, audit, off
namespaces:
  - match: kube-system
    enforce: audit
  - match: team-*
    rules: {ignored-expression: warn}
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from celvet.certs.small_file import read_small
from celvet.lint.config.check import read_schema
from celvet.lint.config.table import ConfigError, yaml_table
from celvet.webhook.decide.policy import AdmissionPolicy, Mode, NamespacePolicy

SCHEMA = Path(__file__).with_name("policy.schema.json")

_log = logging.getLogger(__name__)


class PolicyFile:
    """The policy in a file; `enforce` is the mode without a file, or if the file sets none.

    Raises `ConfigError` if the file cannot be used at the start. Later a file that cannot be used
    is logged, `problem` has the reason, and the policy stays in force. `last_good` is a file that
    keeps the last good policy, so that it also survives a restart.
    """

    def __init__(self, path: Path | None, enforce: Mode, *, last_good: Path | None = None) -> None:
        self._path = path
        self._enforce = enforce
        self._last_good = last_good
        self._seen: bytes | str | None = None
        self.policy = AdmissionPolicy(enforce=enforce)
        self.problem: str | None = None
        if path is None:
            return
        try:
            self._load(path)
        except ConfigError as error:
            content = _content(last_good) if last_good else ""
            if last_good is None or isinstance(content, str):
                raise
            self.policy = parse(content, enforce, last_good)
            self._report_failure(error)

    def reload(self) -> bool:
        """Read the file and return whether it has changed. The outcome is logged once."""
        try:
            if self._path is None or not self._load(self._path):
                return False
            self.problem = None
            _log.info("the policy in `%s` was read and is in force", self._path)
        except ConfigError as error:
            self._report_failure(error)
        return True

    def _report_failure(self, error: ConfigError) -> None:
        self.problem = str(error)
        _log.error("%s; the previous policy stays in force", error)

    def _load(self, path: Path) -> bool:
        """Apply new content; False if it is unchanged. Raises `ConfigError` once per content."""
        content = _content(path)
        if content == self._seen:
            return False
        self._seen = content
        if isinstance(content, str):
            raise ConfigError(content)
        self.policy = parse(content, self._enforce, path)
        if self._last_good:
            _keep(self._last_good, content)
        return True


def _keep(path: Path, content: bytes) -> None:
    """Write a file completely or not at all; a full disk must not stop a policy from applying."""
    try:
        path.with_suffix(".new").write_bytes(content)
        path.with_suffix(".new").replace(path)
    except OSError as error:
        _log.error("cannot write `%s`: %s", path, error.strerror or error)


def _content(path: Path) -> bytes | str:
    """The content of a file, or why it cannot be read."""
    try:
        return read_small(path)
    except OSError as error:
        return f"cannot read `{path}`: {error.strerror or error}"


def parse(content: bytes, enforce: Mode, path: Path) -> AdmissionPolicy:
    """The policy in a file with this content; raises `ConfigError`, which names the line."""
    table = yaml_table(path, content)
    table.check(read_schema(SCHEMA))
    namespaces = tuple(
        NamespacePolicy(entry["match"], **_modes(entry))
        for entry in table.values.get("namespaces", ())
    )
    return AdmissionPolicy(**{"enforce": enforce, **_modes(table.values)}, namespaces=namespaces)


def _modes(values: Mapping[str, Any]) -> dict[str, Any]:
    """The modes that a part of the policy sets."""
    modes: dict[str, Any] = {
        "rules": {rule: _mode(mode) for rule, mode in values.get("rules", {}).items()}
    }
    return modes | ({"enforce": _mode(values["enforce"])} if "enforce" in values else {})


def _mode(value: str | bool) -> Mode:
    """The mode with this name; YAML 1.1 reads a bare `off` as false."""
    return Mode[value.upper()] if isinstance(value, str) else Mode.OFF
