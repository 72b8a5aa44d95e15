"""Schema locations, in the language of kubeconform: where the schema of a kind is published.

`{{ .Group }}/{{ .ResourceKind }}_{{ .ResourceAPIVersion }}.json` and the like, below a directory or
a URL (`pkg/registry/registry.go` of kubeconform 0.7.0).
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celvet.lint.crds.crd_limits import MAX_DOWNLOAD, MAX_FILE
from celvet.lint.discovery.root import is_special
from celvet.lint.model import Value
from celvet.record import record
from celvet.regex import regex

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from urllib.request import OpenerDirector, Request

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

_TIMEOUT = 10.0
"""Seconds to wait for a connection, or for the next bytes."""

_TOTAL_TIMEOUT = 30.0
"""Seconds that a whole download may take."""

_FRESH = 24 * 3600.0
"""Seconds for which a cached answer counts; if the network is down, an older one does."""

_BLOCK = 2**16
_ABSENT = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)


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
                variables = ", ".join(f".{name}" for name in sorted(_VARIABLES))
                raise LocationError(f"{text}: there is no `.{name}`; choose from {variables}")
        if "{{" in _VARIABLE.sub("", template):
            raise LocationError(f"{text}: only `{{{{ .Name }}}}` can be used in double braces")
        return cls(text, template)

    def check(self) -> None:
        """Raise `LocationError` if the directory before the first variable does not exist."""
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
    """The schemas of some locations; the first location that has a kind counts.

    A location that cannot be reached is reported in `problems` and not tried again.
    """

    def __init__(self, locations: tuple[SchemaLocation, ...]) -> None:
        self._locations = list(locations)
        self._downloads = _Downloads()
        self.problems: list[str] = []

    def find(self, api_version: str, kind: str) -> Value:
        """The schema of a kind, parsed, or None."""
        for location in tuple(self._locations):
            address = location.address(api_version, kind)
            try:
                data = self._data(location, address) if address else None
            except (OSError, _UnreachableError) as error:
                self._locations.remove(location)
                self.problems.append(
                    f"schema location {location.text}: {error}; what it describes is not checked"
                )
                continue
            if data is not None and (document := self._parse(address, data)) is not None:
                return document
        return None

    def _data(self, location: SchemaLocation, address: str) -> bytes | None:
        if location.remote:
            return self._downloads.get(address)
        if is_special(address):
            return None
        try:
            with open(address, "rb") as file:  # noqa: PTH123 - the result of a template
                return file.read(MAX_FILE)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def _parse(self, address: str, data: bytes) -> Value:
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            self.problems.append(f"{address}: not a JSON Schema; what it describes is not checked")
            return None


class _UnreachableError(Exception):
    """The server does not return the file; the message says why."""


class _Downloads:
    """Files by URL, cached on disk for a day. An empty file there means that the URL has none.

    Uses the standard library: a GET with a timeout needs no dependency. Proxies are those of the
    environment.
    """

    def __init__(self) -> None:
        self._directory = _cache_directory()

    def get(self, url: str) -> bytes | None:
        """The content of a URL; None if there is no such file. Raises `_UnreachableError`."""
        file = self._directory / f"{hashlib.sha256(url.encode()).hexdigest()}.json"
        try:
            if time.time() - file.stat().st_mtime < _FRESH:
                return file.read_bytes() or None
        except OSError:
            pass  # missing or unreadable: ask the server
        try:
            data = _fetch(url)
        except _UnreachableError:
            if file.is_file():
                return file.read_bytes() or None
            raise
        self._keep(file, data or b"")
        return data

    def _keep(self, file: Path, data: bytes) -> None:
        """Write the content in one step: other processes read the same directory."""
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._directory, delete=False) as temporary:
                temporary.write(data)
            Path(temporary.name).replace(file)
        except OSError:
            return  # with a full or read-only disk, it is only downloaded again next time


def _cache_directory() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "celvet" / "schemas"


def _fetch(url: str) -> bytes | None:
    from http.client import HTTPException
    from urllib.error import HTTPError

    try:
        with _opener().open(url, timeout=_TIMEOUT) as response:
            return _content(response)
    except HTTPError as error:
        if error.code in _ABSENT:
            return None
        raise _UnreachableError(f"the server answers {error.code} {error.reason}") from error
    except (OSError, HTTPException, ValueError) as error:
        raise _UnreachableError(f"cannot be reached ({getattr(error, 'reason', error)})") from error


def _content(response: HTTPResponse) -> bytes:
    """The body; a server that sends too much or too slowly is an error."""
    end = time.monotonic() + _TOTAL_TIMEOUT
    data = bytearray()
    while block := response.read1(_BLOCK):
        data += block
        if len(data) > MAX_DOWNLOAD:
            raise _UnreachableError(f"sends more than {MAX_DOWNLOAD // 2**20} MiB")
        if time.monotonic() > end:
            raise _UnreachableError(f"takes more than {_TOTAL_TIMEOUT:.0f} s")
    return bytes(data)


def _opener() -> OpenerDirector:
    """HTTP and HTTPS only, so that no redirect leads to a local file or into a private network."""
    from urllib import request

    class RedirectHandler(request.HTTPRedirectHandler):
        def redirect_request(self, req: request.Request, *arguments: Any) -> request.Request | None:
            target = super().redirect_request(req, *arguments)
            if target and target.host != req.host:
                _check_redirect(req, target)
            return target

    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler,
        request.HTTPHandler,
        request.HTTPSHandler,
        RedirectHandler,
        request.HTTPErrorProcessor,
        request.HTTPDefaultErrorHandler,
        request.UnknownHandler,
    ):
        opener.add_handler(handler())
    return opener


def _check_redirect(source: Request, target: Request) -> None:
    """Raise `_UnreachableError` for a redirect to another host that only this machine may reach.

    A server outside could otherwise read services inside with the user's machine.
    """
    from ipaddress import ip_address
    from socket import getaddrinfo
    from urllib.parse import urlsplit

    parts = urlsplit(target.full_url)
    if source.type == "https" and parts.scheme != "https":
        raise _UnreachableError(f"redirects to `{parts.scheme}`")
    addresses = {str(entry[4][0]) for entry in getaddrinfo(parts.hostname, parts.port)}
    if not all(ip_address(address.partition("%")[0]).is_global for address in addresses):
        raise _UnreachableError(f"redirects to a private address, {parts.hostname}")
