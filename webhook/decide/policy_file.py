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
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml

from celvet.lint.rules import ids
from celvet.webhook.decide.policy import AdmissionPolicy, Mode, NamespacePolicy

_log = logging.getLogger(__name__)

_MODES = {str(mode): mode for mode in Mode}


class PolicyError(ValueError):
    """A policy file that cannot be used; the message is for the user."""


class PolicyFile:
    """The policy in a file; `enforce` is the mode without a file, or if the file sets none.

    Raises `PolicyError` if the file cannot be used at the start. Later a file that cannot be
    used is logged, `problem` says why, and the policy stays. With `last_good`, a file where
    each good policy is kept, it stays for a restart too.
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
        except PolicyError as error:
            if last_good is None or not last_good.exists():
                raise
            self.policy = parse(last_good.read_bytes(), enforce, str(last_good))
            self._failed(error)

    def reload(self) -> bool:
        """Read the file; whether it has changed. The outcome is logged once."""
        try:
            if self._path is None or not self._load(self._path):
                return False
            self.problem = None
            _log.info("the policy in `%s` was read and is in force", self._path)
        except PolicyError as error:
            self._failed(error)
        return True

    def _failed(self, error: PolicyError) -> None:
        self.problem = str(error)
        _log.error("%s; the policy before stays in force", error)

    def _load(self, path: Path) -> bool:
        """Take the content, False if it has not changed; raises `PolicyError` once for each."""
        found = _content(path)
        if found == self._seen:
            return False
        self._seen = found
        if isinstance(found, str):
            raise PolicyError(found)
        self.policy = parse(found, self._enforce, str(path))
        if self._last_good:
            _keep(self._last_good, found)
        return True


def _keep(path: Path, content: bytes) -> None:
    """Write a file at once or not at all; a full disk must not keep a policy from its work."""
    try:
        path.with_suffix(".new").write_bytes(content)
        path.with_suffix(".new").replace(path)
    except OSError as error:
        _log.error("cannot write `%s`: %s", path, error.strerror or error)


def _content(path: Path) -> bytes | str:
    """The content of a file, or why it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        return f"cannot read `{path}`: {error.strerror or error}"


def parse(content: bytes, enforce: Mode, name: str) -> AdmissionPolicy:
    """Parse a policy; raises `PolicyError`, whose message begins with the name."""
    try:
        document = _document(content)
        return _policy({} if document is None else document, enforce)
    except _WrongError as error:
        raise PolicyError(f"{name}: {error}") from None


class _WrongError(ValueError):
    """A mistake in the file, without the name of the file."""


class _Loader(yaml.SafeLoader):
    """Refuses duplicate keys in a mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """As `SafeLoader` does; raises `_WrongError`."""
        seen: set[str] = set()
        for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
            if key.value in seen:
                line = key.start_mark.line + 1
                raise _WrongError(f"duplicate key `{key.value}` in line {line}")
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def _document(content: bytes) -> Any:
    """The content as YAML; raises `_WrongError`."""
    try:
        return yaml.load(content, _Loader)  # noqa: S506 - a SafeLoader
    except _WrongError:
        raise
    except Exception as error:  # PyYAML passes on the errors of value constructors
        described = f"{type(error).__name__}: {' '.join(str(error).split())}"
        raise _WrongError(f"invalid YAML: {described}") from None


def _policy(document: Any, enforce: Mode) -> AdmissionPolicy:
    readers = {
        "enforce": _general_mode,
        "rules": _rules,
        "namespaces": _namespaces,
    }
    values = _read(document, readers, "the policy")
    return AdmissionPolicy(**{"enforce": enforce, **values})


def _namespaces(value: Any, place: str) -> tuple[NamespacePolicy, ...]:
    if not isinstance(value, list):
        raise _WrongError(f"{place} must be a list")
    return tuple(_namespace(each, f"{place}[{index}]") for index, each in enumerate(value))


def _namespace(value: Any, place: str) -> NamespacePolicy:
    values = _read(value, {"match": _text, "enforce": _general_mode, "rules": _rules}, place)
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


def _mode(value: Any, place: str, modes: Mapping[str, Mode] = _MODES) -> Mode:
    text = "off" if value is False else value  # YAML 1.1 reads a bare `off` as false
    if not isinstance(text, str) or text not in modes:
        raise _WrongError(f"{place} must be one of {', '.join(modes)}")
    return modes[text]


def _general_mode(value: Any, place: str) -> Mode:
    """A mode that `--enforce` takes too: `off` for all rules would lint in order to drop."""
    return _mode(value, place, {text: mode for text, mode in _MODES.items() if mode})


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str) or not value:
        raise _WrongError(f"{place} must be a non-empty string")
    return value
