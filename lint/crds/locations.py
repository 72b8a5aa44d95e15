"""Schema locations, in the language of kubeconform: where the schema of a kind is published.

`{{ .Group }}/{{ .ResourceKind }}_{{ .ResourceAPIVersion }}.json` and its like,
below a directory or a URL (`pkg/registry/registry.go` of kubeconform 0.7.0).
"""

from __future__ import annotations

import json
from pathlib import Path

from celvet.lint.crds.download import Downloads, UnreachableError
from celvet.lint.crds.limits import MAX_FILE
from celvet.lint.model import Value
from celvet.record import record
from celvet.regex import regex

_LAYOUT = (
    "{{ .NormalizedKubernetesVersion }}-standalone{{ .StrictSuffix }}/"
    "{{ .ResourceKind }}{{ .KindSuffix }}.json"
)
_DEFAULT = f"https://raw.githubusercontent.com/yannh/kubernetes-json-schema/master/{_LAYOUT}"
_VARIABLE = regex(r"\{\{-?\s*\.(\w+)\s*-?\}\}")
_VARIABLES = frozenset(
    {"Group", "KindSuffix", "NormalizedKubernetesVersion", "ResourceAPIVersion", "ResourceKind"}
    | {"StrictSuffix"}
)
_NAMES = regex(r"(?:[a-z0-9][a-z0-9.-]*/)?[a-z0-9]+ [A-Za-z0-9]+")
"""Valid pairs of `apiVersion` and `kind`; they come from manifests and become part of a path."""


class LocationError(Exception):
    """A schema location is not a valid template; the message says why."""


@record
class SchemaLocation:
    """A template for the address of a schema; `text` is what the user wrote."""

    text: str
    template: str

    @classmethod
    def of(cls, text: str) -> SchemaLocation:
        """Complete a template as kubeconform does; raises `LocationError`."""
        template = _DEFAULT if text == "default" else text
        if not template.endswith("json"):
            template = f"{template.rstrip('/')}/{_LAYOUT}"
        for name in _VARIABLE.findall(template):
            if name not in _VARIABLES:
                known = ", ".join(f".{each}" for each in sorted(_VARIABLES))
                raise LocationError(f"{text}: there is no `.{name}`; known are {known}")
        if "{{" in _VARIABLE.sub("", template):
            raise LocationError(f"{text}: only `{{{{ .Name }}}}` can be used in double braces")
        return cls(text, template)

    def check(self) -> None:
        """Raise `LocationError` if the directory before the first variable is not there."""
        directory = Path(self.template.partition("{{")[0] + "x").parent
        if not self.remote and not directory.is_dir():
            raise LocationError(f"{self.text}: there is no directory {directory}")

    @property
    def remote(self) -> bool:
        """Whether it is read over HTTP."""
        return self.template.startswith(("http://", "https://"))

    def address(self, api_version: str, kind: str) -> str:
        """The path or URL of the schema of a kind; empty for invalid names."""
        if not _NAMES.fullmatch(f"{api_version} {kind}"):
            return ""
        group, _, version = api_version.rpartition("/")
        words = [group.partition(".")[0], version] if group else [version]
        values = {
            "Group": group or version,
            "KindSuffix": "".join(f"-{word}" for word in words),
            "NormalizedKubernetesVersion": "master",
            "ResourceAPIVersion": version,
            "ResourceKind": kind.lower(),
            "StrictSuffix": "",
        }
        return _VARIABLE.sub(lambda found: values[found[1]], self.template)


class SchemaLocations:
    """The schemas of some locations, the first that has a kind winning.

    One that cannot be reached is reported in `problems` and not asked again.
    """

    def __init__(self, locations: tuple[SchemaLocation, ...]) -> None:
        self._locations = list(locations)
        self._downloads = Downloads()
        self.problems: list[str] = []

    def find(self, api_version: str, kind: str) -> Value:
        """The schema of a kind, parsed, or None."""
        for location in tuple(self._locations):
            address = location.address(api_version, kind)
            try:
                data = self._data(location, address) if address else None
            except (OSError, UnreachableError) as error:
                self._locations.remove(location)
                self.problems.append(
                    f"schema location {location.text}: {error}; what it describes is not checked"
                )
                continue
            if data is not None and (document := self._parsed(address, data)) is not None:
                return document
        return None

    def _data(self, location: SchemaLocation, address: str) -> bytes | None:
        if location.remote:
            return self._downloads.get(address)
        try:
            with open(address, "rb") as file:  # noqa: PTH123 - the result of a template
                return file.read(MAX_FILE)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def _parsed(self, address: str, data: bytes) -> Value:
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            self.problems.append(f"{address}: not a JSON Schema; what it describes is not checked")
            return None
