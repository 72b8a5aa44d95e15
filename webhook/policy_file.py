"""The policy file: YAML, read again when its content changes.

enforce: deny                  # deny, warn, audit
opt-out: true                  # objects may ignore rules by annotation
rules: {missing-failed: off}   # deny, warn, audit, off
namespaces:
  - match: kube-system
    enforce: audit
  - match: team-*
    rules: {ignored-expression: warn}
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml

from lint.rules import ids
from webhook.policy import Mode, NamespacePolicy, Policy

_log = logging.getLogger(__name__)

_MODES = {str(mode): mode for mode in Mode}


class PolicyError(ValueError):
    """A policy file that cannot be used; the message is for the user."""


class PolicyFile:
    """The policy of a file; without one, or where the file says nothing, `enforce` for all.

    Raises `PolicyError` if the file cannot be used at the start. Later a file that
    cannot be used is told in the log, and the policy before stays in force.
    """

    def __init__(self, path: Path | None, enforce: Mode) -> None:
        self._path = path
        self._enforce = enforce
        self._seen: bytes | None = None
        self.policy = Policy(enforce=enforce)
        if path:
            self._load(path)

    def reload(self) -> None:
        """Look whether the file has changed."""
        if self._path is None:
            return
        try:
            if self._load(self._path):
                _log.info("the policy in `%s` has changed", self._path)
        except PolicyError as error:
            _log.error("%s; the policy before stays in force", error)

    def _load(self, path: Path) -> bool:
        try:
            content = path.read_bytes()
        except OSError as error:
            raise PolicyError(f"cannot read `{path}`: {error.strerror or error}") from None
        if content == self._seen:
            return False
        self._seen = content
        self.policy = parse(content, self._enforce, str(path))
        return True


def parse(content: bytes, enforce: Mode, name: str) -> Policy:
    """The policy in a text; raises `PolicyError`, which begins with the name."""
    try:
        document = yaml.safe_load(content)
        return _policy({} if document is None else document, enforce)
    except _WrongError as error:
        raise PolicyError(f"{name}: {error}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise PolicyError(f"{name}: no YAML: {' '.join(str(error).split())}") from None


class _WrongError(ValueError):
    """What is wrong in the file, without its name."""


def _policy(document: Any, enforce: Mode) -> Policy:
    readers = {"enforce": _mode, "opt-out": _flag, "rules": _rules, "namespaces": _namespaces}
    values = _read(document, readers, "the policy")
    return Policy(**{"enforce": enforce, **values})


def _namespaces(value: Any, place: str) -> tuple[NamespacePolicy, ...]:
    if not isinstance(value, list):
        raise _WrongError(f"{place} must be a list")
    return tuple(_namespace(each, f"{place}[{index}]") for index, each in enumerate(value))


def _namespace(value: Any, place: str) -> NamespacePolicy:
    values = _read(value, {"match": _text, "enforce": _mode, "rules": _rules}, place)
    if "match" not in values:
        raise _WrongError(f"{place} has no `match`")
    return NamespacePolicy(values.pop("match"), **values)


def _read(
    document: Any, readers: Mapping[str, Callable[[Any, str], Any]], place: str
) -> dict[str, Any]:
    if not isinstance(document, Mapping):
        raise _WrongError(f"{place} must be a mapping")
    for key in document:
        if key not in readers:
            raise _WrongError(f"unknown key `{key}` in {place}; known are {', '.join(readers)}")
    return {
        key.replace("-", "_"): readers[key](value, f"`{key}` of {place}")
        for key, value in document.items()
    }


def _rules(value: Any, place: str) -> dict[str, Mode]:
    if not isinstance(value, Mapping):
        raise _WrongError(f"{place} must be a mapping")
    for rule in value:
        if rule not in ids():
            raise _WrongError(f"{place}: there is no rule `{rule}`")
    return {rule: _mode(mode, f"`{rule}` of {place}") for rule, mode in value.items()}


def _mode(value: Any, place: str) -> Mode:
    text = "off" if value is False else value  # YAML 1.1 reads a bare `off` as false
    if not isinstance(text, str) or text not in _MODES:
        raise _WrongError(f"{place} must be one of {', '.join(_MODES)}")
    return _MODES[text]


def _flag(value: Any, place: str) -> bool:
    if not isinstance(value, bool):
        raise _WrongError(f"{place} must be true or false")
    return value


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str) or not value:
        raise _WrongError(f"{place} must be a text")
    return value
