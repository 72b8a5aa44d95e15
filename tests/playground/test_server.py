"""`celvet playground` under real requests, some of them hostile."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
import yaml

from tests.cli.command import celvet
from tests.playground.serving import playground

_OBJECT = "apiVersion: dragonflydb.io/v1alpha1\nkind: Dragonfly\nmetadata: {name: a}\n"
_WRONG = {"failed": "status.phase != 'ready'", "current": "status.phase == 'ready'"}
_BOMB = "[1,2,3,4,5,6,7,8,9].all(a, " * 9 + "true" + ")" * 9


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with playground(tmp_path_factory.mktemp("playground")) as address:
        yield address


def _ask(
    url: str, path: str, body: Any = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection(urlsplit(url).netloc, timeout=60)
    data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    usual = {"Content-Type": "application/json"} if data is not None else {}
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    connection.request("GET" if data is None else "POST", path, data, {**usual, **named})
    response = connection.getresponse()
    return response.status, dict(response.getheaders()), response.read()


def _trial(url: str, **fields: Any) -> dict[str, Any]:
    status, _, body = _ask(url, "/trial", fields)
    assert status == 200, body
    answer: dict[str, Any] = json.loads(body)
    return answer


def _error(url: str, path: str, body: Any = None, **headers: str) -> tuple[int, str]:
    status, _, answer = _ask(url, path, body, **headers)
    return status, json.loads(answer)["error"]


def test_the_page_loads_nothing_from_elsewhere(url: str) -> None:
    for path in ("/", "/engine.js", "/page.js", "/page.css", "/verdicts.css"):
        status, headers, body = _ask(url, path)
        assert status == 200
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert b"//cdn" not in body
        assert b"https://" not in body


def test_a_trial_has_the_verdict_its_trace_the_life_and_what_is_wrong(url: str) -> None:
    text = f"{_OBJECT}status: {{phase: Ready}}\n"
    answer = _trial(url, kind="Dragonfly", expressions=_WRONG, object=text)
    assert answer["verdict"]["status"] == "Failed"
    assert answer["verdict"]["because"].startswith("`status.phase != 'ready'` is true")
    trace = answer["verdict"]["expressions"][0]["trace"]
    assert trace.splitlines()[0] == "> status.phase != 'ready'  =  true"
    states = {state["name"]: state["look"] for state in answer["states"] if state["life"]}
    assert states["Ready (ready)"] == "bad wrong"
    assert {finding["rule"] for finding in answer["findings"]} >= {"premature-failed"}


def test_a_suggestion_is_right_in_each_state(url: str) -> None:
    status, _, body = _ask(url, f"/suggestion?kind={quote('Certificate.cert-manager.io')}")
    assert status == 200
    suggestion = json.loads(body)
    answer = _trial(url, **{key: suggestion[key] for key in ("kind", "expressions", "object")})
    assert answer["verdict"]["status"] == "Current"
    assert answer["findings"] == []
    assert not any("wrong" in state["look"] for state in answer["states"])


def test_a_fix_comes_with_the_finding(url: str) -> None:
    entry = {"current": "status.conditions.filter(e, e.type == 'Up').all(e, e.status == 'True')"}
    answer = _trial(url, kind="Database.example.com", expressions=entry, object="")
    assert "exists" in answer["fixed"]["current"]
    after = _trial(url, kind="Database.example.com", expressions=answer["fixed"], object="")
    assert len(after["findings"]) < len(answer["findings"])


def test_the_copied_health_test_runs(url: str, tmp_path: Path) -> None:
    text = f"{_OBJECT}status: {{phase: Configuring}}\n"
    status, _, body = _ask(url, "/suggestion?kind=Dragonfly")
    assert status == 200
    expressions = json.loads(body)["expressions"]
    answer = _trial(url, kind="Dragonfly", expressions=expressions, object=text)
    (tmp_path / "dragonfly.test.yaml").write_text(answer["test"])
    ran = celvet("test", "dragonfly.test.yaml", cwd=tmp_path)
    assert ran.status == 0, ran.out + ran.err
    cases = list(yaml.safe_load_all(answer["test"]))[1]["cases"]
    assert cases[-1]["name"] == "this object"
    assert len(cases) > 5


def test_a_version_of_the_controller_counts(url: str) -> None:
    versions = [item["version"] for item in json.loads(_ask(url, "/choices")[2])["versions"]]
    rules = []
    for version in (versions[0], versions[-1]):
        answer = _trial(
            url,
            kind="A.example.com",
            expressions={"current": "status.`a-b` == 1"},
            object="",
            target=version,
        )
        rules.append({finding["rule"] for finding in answer["findings"]})
    newest, oldest = rules
    assert oldest - newest == {"cel-syntax"}, "fields in backquotes came later"


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"kind": ""}, "name a kind"),
        ({"kind": "x" * 5_000}, "nothing is known"),
        ({"kind": 7}, "not a text"),
        ({"expressions": [1]}, "not a text"),
        ({"expressions": {"x": "1"}}, "there is no expression `x`"),
    ],
)
def test_a_mistake_is_named(url: str, fields: dict[str, Any], says: str) -> None:
    status, error = _error(url, "/trial", {"kind": "Dragonfly", **fields})
    assert status == 422
    assert says in error


def test_a_wrong_object_is_named_beside_the_life(url: str) -> None:
    for text, says in ((": x: [", "the object"), ("apiVersion: v1\nkind: Pod", "another kind")):
        answer = _trial(url, kind="Dragonfly", expressions=_WRONG, object=text)
        assert says in answer["problem"]
        assert answer["verdict"] is None
        assert answer["states"]


def test_another_site_is_refused(url: str) -> None:
    trial = {"kind": "Dragonfly", "expressions": _WRONG}
    assert _error(url, "/", Host="evil.example.com")[0] == 421
    assert _error(url, "/trial", trial, Host="evil.example.com:80")[0] == 421
    assert _error(url, "/trial", trial, Content_Type="text/plain")[0] == 415
    assert _error(url, "/trial", b"{", Content_Type="application/json")[0] == 422
    assert _error(url, "/../server.py")[0] == 404
    port = urlsplit(url).port
    assert _ask(url, "/", Host=f"localhost:{port}")[0] == 200


def test_it_listens_on_this_machine_only(url: str) -> None:
    own_address = socket.gethostbyname(socket.gethostname())
    if own_address.startswith("127."):
        pytest.skip("this machine has no other address")
    with pytest.raises(OSError, match="refused"):
        socket.create_connection((own_address, urlsplit(url).port or 0), timeout=5)


def test_hostile_input_ends_and_the_server_goes_on(url: str) -> None:
    assert _error(url, "/trial", {"kind": "A.b", "object": "a" * 300_000})[0] == 413
    assert _ask(url, "/trial", b"[" * 100_000)[0] == 422
    deep = {"kind": "Dragonfly", "expressions": _WRONG, "object": "[" * 50_000}
    assert _ask(url, "/trial", deep)[0] in (200, 422)
    for text in (_BOMB, "(" * 5_000, "a." * 20_000 + "b"):
        status, _, _ = _ask(url, "/trial", {"kind": "A.b.c", "expressions": {"current": text}})
        assert status in (200, 422)
    assert _trial(url, kind="Dragonfly", expressions=_WRONG, object="")["states"]


def test_usage(url: str, tmp_path: Path) -> None:
    port = str(urlsplit(url).port)
    ran = celvet("playground", "--port", port, cwd=tmp_path)
    assert ran.status == 2
    assert f"--port {port}: Address already in use" in ran.err
