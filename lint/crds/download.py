"""Downloads small files over HTTP and caches them on disk for a day.

Uses the standard library: a GET with a timeout needs no dependency. Proxies are
those of the environment.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

from celvet.lint.crds.limits import MAX_DOWNLOAD

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from urllib.request import OpenerDirector

_TIMEOUT = 10.0
"""Seconds to wait for a connection, or for the next bytes."""

_TOTAL_TIMEOUT = 30.0
"""Seconds that a whole download may take."""

_FRESH = 24 * 3600.0
"""Seconds for which a cached answer counts; if the network is down, an older one does."""

_BLOCK = 2**16
_ABSENT = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)


class UnreachableError(Exception):
    """The server does not return the file; the message says why."""


class Downloads:
    """Files by URL, cached. An empty file on disk means that the URL has none."""

    def __init__(self, directory: Path | None = None) -> None:
        self._directory = directory or _cache_directory()

    def get(self, url: str) -> bytes | None:
        """The content of a URL; None if there is no such file. Raises `UnreachableError`."""
        kept = self._directory / f"{hashlib.sha256(url.encode()).hexdigest()}.json"
        try:
            if time.time() - kept.stat().st_mtime < _FRESH:
                return kept.read_bytes() or None
        except OSError:
            pass  # missing or unreadable: ask the server
        try:
            data = _fetched(url)
        except UnreachableError:
            if kept.is_file():
                return kept.read_bytes() or None
            raise
        self._keep(kept, data or b"")
        return data

    def _keep(self, file: Path, data: bytes) -> None:
        """Write the content in one step: other processes read the same directory."""
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._directory, delete=False) as temporary:
                temporary.write(data)
            Path(temporary.name).replace(file)
        except OSError:
            return  # a full or read-only disk costs a download next time, no more


def _cache_directory() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "celvet" / "schemas"


def _fetched(url: str) -> bytes | None:
    from http.client import HTTPException
    from urllib.error import HTTPError

    try:
        with _opener().open(url, timeout=_TIMEOUT) as response:
            return _content(response)
    except HTTPError as error:
        if error.code in _ABSENT:
            return None
        raise UnreachableError(f"the server answers {error.code} {error.reason}") from error
    except (OSError, HTTPException, ValueError) as error:
        raise UnreachableError(f"cannot be reached ({getattr(error, 'reason', error)})") from error


def _content(response: HTTPResponse) -> bytes:
    """The body; a server that sends too much or too slowly is an error."""
    end = time.monotonic() + _TOTAL_TIMEOUT
    data = bytearray()
    while block := response.read1(_BLOCK):
        data += block
        if len(data) > MAX_DOWNLOAD:
            raise UnreachableError(f"sends more than {MAX_DOWNLOAD // 2**20} MiB")
        if time.monotonic() > end:
            raise UnreachableError(f"takes more than {_TOTAL_TIMEOUT:.0f} s")
    return bytes(data)


def _opener() -> OpenerDirector:
    """HTTP and HTTPS only, so that no redirect leads to a local file."""
    from urllib import request

    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler,
        request.HTTPHandler,
        request.HTTPSHandler,
        request.HTTPRedirectHandler,
        request.HTTPErrorProcessor,
        request.HTTPDefaultErrorHandler,
        request.UnknownHandler,
    ):
        opener.add_handler(handler())
    return opener
