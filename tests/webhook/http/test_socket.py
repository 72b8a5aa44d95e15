"""AdmissionReviews of every kind, and invalid requests, through TLS."""

from __future__ import annotations

import json
import socket
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

from tests.webhook.judging.test_pool import costly
from tests.webhook.malformed import MALFORMED
from tests.webhook.reviews import KINDS, OTHER_KINDS, TABLE, bad_one, kustomization, of_case, review
from tests.webhook.serving import Serving, serving

BAD = kustomization("status.a ==")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    options = ("--tls-min-version", "1.3", "--judge-timeout", 3)
    with serving(tmp_path_factory.mktemp("served"), *options) as served:
        yield served
        assert "Traceback" not in served.log.read_text()
        assert served.end() == 0


@pytest.mark.parametrize("kind", [*KINDS, *OTHER_KINDS], ids=lambda kind: kind["good"]["kind"])
def test_kinds(served: Serving, kind: dict[str, Any]) -> None:
    assert served.review(review(kind["good"]))["allowed"] is True
    response = served.review(review(bad_one(kind)))
    assert response["allowed"] is False
    assert response["status"]["code"] == 422
    assert response["status"]["details"]["causes"][0]["field"] == kind["field"]


def test_the_table_of_decisions(served: Serving) -> None:
    for case in TABLE["cases"]:
        if "policy" not in case:
            status, answer = served.post(of_case(case))
            assert status == 200, case["name"]
            assert answer["response"]["allowed"] is case.get("allowed", True), case["name"]


@pytest.mark.parametrize(("name", "body", "says"), MALFORMED, ids=[name for name, *_ in MALFORMED])
def test_malformed(served: Serving, name: str, body: bytes, says: str) -> None:
    status, answer = served.post(body)
    assert (status, answer["code"], answer["reason"]) == (400, 400, "BadRequest")
    assert says in answer["message"]


@pytest.mark.parametrize("depth", [150, 300, 500, 800, 950, 3000])
def test_deep_objects_are_linted_or_malformed(served: Serving, depth: int) -> None:
    value = json.dumps(review(BAD)).replace('"1h"', "[" * depth + "]" * depth).encode()
    status, answer = served.post(value)
    assert status in (200, 400)
    assert answer["kind"] == "AdmissionReview" or "nested too deep" in answer["message"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/validate", 405),
        ("PUT", "/validate", 405),
        ("GET", "/", 404),
        ("POST", "/validate/", 404),
        ("GET", "/metrics", 404),
        ("GET", "/../../etc/passwd", 404),
        ("GET", "/healthz", 200),
        ("GET", "/readyz", 200),
        ("POST", "/healthz", 405),
        ("POST", "/validate?timeout=10s", 200),
    ],
)
def test_paths(served: Serving, method: str, path: str, status: int) -> None:
    client = served.client()
    client.request(method, path, json.dumps(review(BAD)) if method == "POST" else None)
    assert client.getresponse().status == status
    client.close()


@pytest.mark.parametrize(
    ("headers", "status", "says"),
    [
        ({"Content-Type": "application/json; charset=utf-8"}, 200, ""),
        ({"Content-Type": "text/plain"}, 400, "Content-Type"),
        ({"Content-Type": ";;;"}, 200, ""),
        ({"Content-Encoding": "gzip"}, 400, "Content-Encoding"),
        ({"Content-Encoding": "identity"}, 200, ""),
        ({"X-Forwarded-For": "1.2.3.4", "X-Forwarded-Proto": "http"}, 200, ""),
    ],
)
def test_headers(served: Serving, headers: dict[str, str], status: int, says: str) -> None:
    found, answer = served.post(json.dumps(review(BAD)).encode(), **headers)
    assert found == status
    assert says in answer.get("message", "")


def raw(served: Serving, sent: bytes, wait: float = 100.0) -> bytes:
    """The answer to some bytes, until the server closes the connection."""
    context = ssl.create_default_context(cadata=served.ca.decode())
    with socket.create_connection(("localhost", served.port), timeout=wait) as plain:
        connection = context.wrap_socket(plain, server_hostname="localhost")
        connection.sendall(sent)
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
        return received


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"POST /validate HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400),
        (b"POST /validate HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 20_000 + b"\r\n\r\n", 400),
        (b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\n" + b"A: b\r\n" * 5000 + b"\r\n", 400),
        (b"POST /validate HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n", 413),
        (b"POST /validate HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
    ],
)
def test_requests_that_are_not_http(served: Serving, sent: bytes, status: int) -> None:
    received = raw(served, sent)
    head, _, body = received.partition(b"\r\n\r\n")
    assert head.split(b" ", 2)[1] == str(status).encode()
    assert b"Traceback" not in received
    assert b"\r\nServer:" not in head
    answer = json.loads(body)
    assert (answer["kind"], answer["status"], answer["code"]) == ("Status", "Failure", status)
    assert served.review(review(BAD))["allowed"] is False


def test_a_body_beyond_the_limit_without_a_length(served: Serving) -> None:
    chunk = b"100000\r\n" + b" " * (1 << 20) + b"\r\n"
    head = b"POST /validate HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    with suppress(ConnectionError):  # the server may close while the client is sending
        assert b" 413 " in raw(served, head + chunk * 9)
    assert served.review(review(BAD))["allowed"] is False


def test_expect_100_continue(served: Serving) -> None:
    body = json.dumps(review(BAD)).encode()
    for value in (b"100-continue", b"100-Continue"):
        received = raw(served, _expecting(value, len(body)) + body)
        assert received.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 ")


def test_other_expectations_fail(served: Serving) -> None:
    received = raw(served, _expecting(b"200-ok", 2) + b"{}")
    head, _, body = received.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 417 ")
    assert json.loads(body)["kind"] == "Status"


def _expecting(value: bytes, length: int) -> bytes:
    lines = b"POST /validate HTTP/1.1", b"Host: a", b"Connection: close", b"Expect: " + value
    return b"\r\n".join([*lines, b"Content-Length: %d" % length, b"\r\n"])


def test_tls_1_2_is_refused_if_1_3_is_required(served: Serving) -> None:
    context = ssl.create_default_context(cadata=served.ca.decode())
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    with socket.create_connection(("localhost", served.port)) as plain, pytest.raises(ssl.SSLError):
        context.wrap_socket(plain, server_hostname="localhost")


def test_plain_http_is_refused(served: Serving) -> None:
    with socket.create_connection(("localhost", served.port), timeout=100) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert not plain.recv(100).startswith(b"HTTP")
    assert served.review(review(BAD))["allowed"] is False


def test_a_costly_object_does_not_delay_others(served: Serving) -> None:
    document = review(costly(7))
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(served.review, document)
        served.until(lambda: "celvet_requests_in_flight 1.0" in served.get("/metrics")[1])
        for number in range(3):
            value = kustomization(f"status.a == {number} &&")
            assert served.review(review(value))["allowed"] is False
        assert not slow.done()
        response = slow.result(60)
    assert response["allowed"] is True
    assert response["warnings"] == ["celvet did not check it: checking the object takes too long"]


def test_metrics(served: Serving) -> None:
    served.review(review(BAD, dryRun=True))
    served.post(b"{")
    status, text = served.get("/metrics")
    assert status == 200
    labels = 'dry_run="true",kind="Kustomization.kustomize.toolkit.fluxcd.io",operation="CREATE"'
    assert f'celvet_requests_total{{{labels},verdict="denied"}} ' in text
    for name in (
        'celvet_findings_total{rule="cel-syntax",severity="error"}',
        'celvet_errors_total{reason="malformed"}',
        'celvet_request_duration_seconds_count{kind="Kustomization',
        "celvet_certificate_expiry_timestamp_seconds 1",
        "celvet_certificate_last_reload_successful 1.0",
        "celvet_config_last_reload_successful 1.0",
        "celvet_queue_length 0.0",
        "celvet_requests_in_flight 0.0",
        "celvet_cache_hits_total",
        "process_resident_memory_bytes",
        'celvet_build_info{python="',
    ):
        assert name in text
    assert served.get("/healthz") == (200, "ok")
    assert served.get("/readyz") == (200, "ok")
    assert served.get("/validate")[0] == 404


def test_an_unknown_kind_is_not_a_label(served: Serving) -> None:
    served.review(review({"apiVersion": "made.up/v1", "kind": "Anything"}))
    assert "Anything" not in served.get("/metrics")[1]
    assert 'kind="other"' in served.get("/metrics")[1]


def test_the_log_has_names_and_no_data(served: Serving) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "n"}}
    served.review(review({**secret, "data": {"password": "aHVudGVyMg=="}}))
    served.review(review(kustomization("'hunter2' ==")))
    served.until(lambda: any(each.get("name") == "s" for each in served.entries()))
    entry = next(each for each in served.entries() if each.get("name") == "s")
    assert entry["kind"] == "Secret"
    assert entry["namespace"] == "n"
    assert entry["user"] == "system:serviceaccount:apps:deployer"
    assert entry["verdict"] == "allowed"
    assert entry["seconds"] >= 0
    assert "aHVudGVyMg" not in served.log.read_text()
    assert "hunter2" not in served.log.read_text()
