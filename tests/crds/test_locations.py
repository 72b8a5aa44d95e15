"""Schema locations, local and over HTTP from a server of our own."""

from __future__ import annotations

import json
import os
import re
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path

import pytest

from celvet.lint.crds import SchemaSources
from celvet.lint.crds.locations import (
    LocationError,
    SchemaLocation,
    SchemaLocations,
    _opener,
    _UnreachableError,
)
from tests.crds.definitions import fields

_SCHEMA = fields(status=fields(phase={"type": "string"}))
_TEMPLATE = "{{ .Group }}/{{.ResourceKind}}_{{- .ResourceAPIVersion -}}.json"


@pytest.mark.parametrize(
    ("template", "api_version", "kind", "address"),
    [
        (f"/x/{_TEMPLATE}", "example.com/v1", "Database", "/x/example.com/database_v1.json"),
        ("/x/{{.ResourceKind}}{{.KindSuffix}}.json", "v1", "Pod", "/x/pod-v1.json"),
        (
            "/x/{{ .ResourceKind }}{{ .KindSuffix }}.json",
            "networking.k8s.io/v1",
            "Ingress",
            "/x/ingress-networking-v1.json",
        ),
        ("/x/{{.Group}}.json", "v1", "Pod", "/x/v1.json"),
        ("/x/", "apps/v1", "Deployment", "/x/master-standalone/deployment-apps-v1.json"),
        (
            "default",
            "apps/v1",
            "Deployment",
            "https://raw.githubusercontent.com/yannh/kubernetes-json-schema/master/"
            "master-standalone/deployment-apps-v1.json",
        ),
        (f"/x/{_TEMPLATE}", "../../etc/v1", "passwd", ""),
        (f"/x/{_TEMPLATE}", "example.com/v1", "../secret", ""),
        (f"/x/{_TEMPLATE}", "", "", ""),
        (f"/x/{_TEMPLATE}", "example.com/v1", "${KIND}", ""),
    ],
)
def test_addresses(template: str, api_version: str, kind: str, address: str) -> None:
    assert SchemaLocation.of(template).address(api_version, kind) == address


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("/x/{{ .Kind }}.json", "there is no `.Kind`; choose from .Group, .KindSuffix,"),
        ("/x/{{ lower .Group }}.json", "only `{{ .Name }}` can be used in double braces"),
        ("/no/such/{{ .Group }}.json", "there is no directory /no/such"),
    ],
)
def test_what_is_no_location(template: str, message: str) -> None:
    with pytest.raises(LocationError, match=message.replace("{", "\\{").replace(".", "\\.")):
        SchemaSources(locations=(template,)).check()


def _published(directory: Path, text: str | None = None) -> str:
    (directory / "example.com").mkdir()
    file = directory / "example.com" / "database_v1.json"
    file.write_text(json.dumps(_SCHEMA) if text is None else text)
    return f"{directory}/{_TEMPLATE}"


def test_a_directory(tmp_path: Path) -> None:
    sources = SchemaSources(locations=(_published(tmp_path),))
    sources.check()
    schema = sources.find("example.com/v1", "Database")
    assert schema is not None
    assert schema.at("status", "phase")
    assert schema.at("status", "other") == ()
    assert sources.find("example.com/v2", "Database") is None
    assert sources.problems == ()


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\0"])
def test_a_broken_schema(tmp_path: Path, text: str) -> None:
    sources = SchemaSources(locations=(_published(tmp_path, text),))
    assert sources.find("example.com/v1", "Database") is None
    (problem,) = sources.problems
    assert problem.endswith("database_v1.json: not a JSON Schema; what it describes is not checked")


@dataclass
class Server:
    """Answers with the entry of `answers` for a path, or 404; counts the requests."""

    url: str = ""
    answers: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    location: str = ""


@pytest.fixture
def server(outside: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Server]:
    for name in os.environ:
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            state.asked.append(self.path)
            status, body = state.answers.get(self.path, (404, b""))
            self.send_response(status)
            if state.location and status == 302:
                self.send_header("Location", state.location)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        state.url = f"http://127.0.0.1:{running.server_port}"
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield state
        running.shutdown()
        thread.join()


_PATH = "/example.com/database_v1.json"


def _locations(server: Server) -> SchemaLocations:
    return SchemaLocations((SchemaLocation.of(f"{server.url}/{_TEMPLATE}"),))


def test_a_download_is_kept_for_the_next_process(server: Server) -> None:
    server.answers[_PATH] = (200, json.dumps(_SCHEMA).encode())
    for _ in range(2):
        assert _locations(server).find("example.com/v1", "Database") == _SCHEMA
    assert server.asked == [_PATH]


def test_so_is_the_news_that_there_is_none(server: Server) -> None:
    for _ in range(2):
        locations = _locations(server)
        assert locations.find("example.com/v1", "Database") is None
        assert locations.problems == []
    assert server.asked == [_PATH]


def test_a_stale_file_serves_where_the_server_does_not(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.answers[_PATH] = (200, json.dumps(_SCHEMA).encode())
    _locations(server).find("example.com/v1", "Database")
    monkeypatch.setattr("celvet.lint.crds.locations._FRESH", 0.0)
    server.answers[_PATH] = (503, b"")
    locations = _locations(server)
    assert locations.find("example.com/v1", "Database") == _SCHEMA
    assert locations.problems == []
    assert len(server.asked) == 2


def test_a_server_that_fails_is_named_once_and_not_asked_again(server: Server) -> None:
    server.answers[_PATH] = (500, b"")
    locations = _locations(server)
    for kind in ("Database", "Other", "Third"):
        assert locations.find("example.com/v1", kind) is None
    (problem,) = locations.problems
    assert problem == (
        f"schema location {server.url}/{_TEMPLATE}: the server answers 500 Internal Server Error;"
        " what it describes is not checked"
    )
    assert server.asked == [_PATH]


def test_no_server_at_all(server: Server) -> None:
    locations = SchemaLocations((SchemaLocation.of("http://127.0.0.1:1/{{ .Group }}.json"),))
    assert locations.find("example.com/v1", "Database") is None
    (problem,) = locations.problems
    assert "cannot be reached" in problem
    assert "Connection refused" in problem


def test_the_next_location_is_asked(server: Server, tmp_path: Path) -> None:
    local = SchemaLocation.of(_published(tmp_path))
    locations = SchemaLocations((SchemaLocation.of("http://127.0.0.1:1/{{ .Group }}.json"), local))
    assert locations.find("example.com/v1", "Database") == _SCHEMA


def test_too_much_is_not_read(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celvet.lint.crds.locations.MAX_DOWNLOAD", 2**20)
    server.answers[_PATH] = (200, b" " * (2**20 + 1))
    locations = _locations(server)
    assert locations.find("example.com/v1", "Database") is None
    assert "sends more than 1 MiB" in locations.problems[0]


def test_too_long_is_not_waited(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celvet.lint.crds.locations._TOTAL_TIMEOUT", -1.0)
    server.answers[_PATH] = (200, b"{}")
    locations = _locations(server)
    assert locations.find("example.com/v1", "Database") is None
    assert "takes more than" in locations.problems[0]


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x"])
def test_no_redirection_leads_out_of_http(server: Server, target: str) -> None:
    server.answers[_PATH] = (302, b"")
    server.location = target
    locations = _locations(server)
    assert locations.find("example.com/v1", "Database") is None
    assert len(locations.problems) == 1


def test_a_cache_that_cannot_be_written_costs_a_download(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    server.answers[_PATH] = (200, json.dumps(_SCHEMA).encode())
    for _ in range(2):
        assert _locations(server).find("example.com/v1", "Database") == _SCHEMA
    assert len(server.asked) == 2


def test_the_cache_is_of_this_day(server: Server, tmp_path: Path) -> None:
    server.answers[_PATH] = (200, json.dumps(_SCHEMA).encode())
    _locations(server).find("example.com/v1", "Database")
    (kept,) = (tmp_path / "cache" / "celvet" / "schemas").iterdir()
    yesterday = time.time() - 25 * 3600
    os.utime(kept, (yesterday, yesterday))
    _locations(server).find("example.com/v1", "Database")
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("source", "target", "problem"),
    [
        ("https://a.example/x", "https://127.0.0.1/y", "redirects to a private address, 127.0.0.1"),
        ("https://a.example/x", "https://[::1]/y", "redirects to a private address, ::1"),
        ("http://a.example/x", "http://169.254.169.254/y", "redirects to a private address"),
        ("https://a.example/x", "https://10.1.2.3:8443/y", "redirects to a private address"),
        ("https://a.example/x", "http://93.184.215.14/y", "redirects to `http`"),
        ("https://a.example/x", "https://93.184.215.14/y", ""),
        ("http://10.1.2.3/x", "http://10.1.2.3/y", ""),
    ],
)
def test_no_redirect_leads_into_a_private_network(source: str, target: str, problem: str) -> None:
    handlers = [
        handler
        for handler in _opener().handlers
        if isinstance(handler, urllib.request.HTTPRedirectHandler)
    ]
    (handler,) = handlers
    arguments = (urllib.request.Request(source), BytesIO(), 302, "Found", Message(), target)
    if problem:
        with pytest.raises(_UnreachableError, match=re.escape(problem)):
            handler.redirect_request(*arguments)
    else:
        redirected = handler.redirect_request(*arguments)
        assert redirected is not None
        assert redirected.full_url == target
