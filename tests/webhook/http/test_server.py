"""The server in this process, where tests can reach its parts."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import ssl
from asyncio.sslproto import SSLProtocol
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from celvet.certs.clock import local_now
from celvet.certs.pki.authority import new_authority
from celvet.certs.pki.pair import Pair
from celvet.certs.pki.policy import RenewalPolicy as Dates
from celvet.certs.pki.signing import new_leaf
from celvet.certs.serving.tls import LiveTLS, TLSSettings
from celvet.record import replace
from celvet.webhook.decide.policy import AdmissionPolicy
from celvet.webhook.decide.review import Review
from celvet.webhook.http.client_limits import Limits
from celvet.webhook.http.connections import Connections
from celvet.webhook.http.handler import Webhook
from celvet.webhook.judgement import Judgement
from celvet.webhook.logs import LogThrottle, _InvalidHTTP
from celvet.webhook.memory_budget import SMALL_BODY
from celvet.webhook.metrics import Metrics
from tests.webhook.inline_judge import InlineJudge
from tests.webhook.reviews import kustomization, review
from tests.webhook.serving import NAMES

BODY = json.dumps(review(kustomization("status.a == 1"))).encode()


Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Served:
    """A server and a client that it accepts."""

    def __init__(self, judge: Any, limits: Limits) -> None:
        self.metrics = Metrics()
        self.webhook = Webhook(judge, AdmissionPolicy, self.metrics, dict, limits)
        self.limits = limits
        self.authority = new_authority(local_now(), Dates())
        self.port = 0

    @asynccontextmanager
    async def serving(self, settings: TLSSettings | None = None) -> AsyncIterator[Served]:
        tls = LiveTLS(settings)
        leaf = new_leaf(self.authority, NAMES, local_now(), Dates())
        tls.load(leaf.certificate_pem, leaf.key)
        self.context = tls.context
        self.connections = Connections(
            self.webhook.handle,
            self.limits,
            tls.context,
            self.metrics.count_error,
        )
        loop = asyncio.get_running_loop()
        server = await loop.create_server(self.connections, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            await self.connections.drain(1, 0)

    def trusting(self) -> ssl.SSLContext:
        return ssl.create_default_context(cadata=self.authority.certificate_pem.decode())

    async def post(self, body: bytes = BODY, context: ssl.SSLContext | None = None) -> Any:
        url = f"https://localhost:{self.port}/validate"
        async with (
            aiohttp.ClientSession() as session,
            session.post(url, data=body, ssl=context or self.trusting()) as response,
        ):
            return response.status, await response.json()

    async def opened(self, address: str = "127.0.0.1") -> Connection:
        """A connection from an address of this machine."""
        return await asyncio.open_connection(
            "localhost", self.port, ssl=self.trusting(), local_addr=(address, 0)
        )


def run(
    main: Callable[[Served], Awaitable[None]],
    judge: Any = None,
    limits: Limits | None = None,
    settings: TLSSettings | None = None,
) -> None:
    async def limited() -> None:
        served = Served(judge or InlineJudge(), limits or Limits())
        async with served.serving(settings):
            await main(served)

    asyncio.run(asyncio.wait_for(limited(), 600))


def test_a_crash_is_500_and_logged_with_the_uid_and_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    judge = InlineJudge(crash="core-kind")

    async def main(served: Served) -> None:
        status, answer = await served.post()
        assert (status, answer["reason"]) == (500, "InternalError")
        assert "KeyError" not in answer["message"]
        assert 'celvet_errors_total{reason="internal"} 1.0' in served.metrics.exposition().decode()
        judge.crash = ""
        assert (await served.post())[0] == 200

    run(main, judge)
    (record,) = [each for each in caplog.records if each.message == "internal error"]
    assert record.__dict__["fields"]["uid"] == review(None)["request"]["uid"]


def test_any_error_of_the_judge_is_500() -> None:
    class Broken:
        async def judge(self, body: bytes, review: Review, off: frozenset[str]) -> Judgement:
            if review.operation == "DELETE":
                return Judgement(exemption="nothing is written")
            raise ZeroDivisionError

    async def main(served: Served) -> None:
        assert (await served.post())[0] == 500
        deletion = json.dumps(review(None, "DELETE", oldObject=kustomization("x"))).encode()
        assert (await served.post(deletion))[0] == 200

    run(main, Broken())


def test_a_slow_body_is_given_up() -> None:
    async def main(served: Served) -> None:
        reader, writer = await served.opened()
        writer.write(b"POST /validate HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
        received = await reader.readuntil(b"\r\n\r\n")
        assert received.startswith(b"HTTP/1.1 408 ")
        writer.close()

    run(main, limits=Limits(body_seconds=0.2))


@pytest.mark.parametrize("sent", [b"", b"POST /validate HTTP/1.1\r\nHost:"])
def test_a_client_without_a_request_is_disconnected(sent: bytes) -> None:
    async def main(served: Served) -> None:
        reader, writer = await served.opened()
        writer.write(sent)
        assert await reader.read() == b""
        writer.close()

    run(main, limits=Limits(first_request=1))


def test_an_idle_client_is_disconnected() -> None:
    async def main(served: Served) -> None:
        reader, writer = await served.opened()
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        received = await reader.read()
        assert received.startswith(b"HTTP/1.1 200 ")
        writer.close()

    run(main, limits=Limits(idle=0.2, first_request=30))


_PLACES = Limits(body_bytes=SMALL_BODY + 2, large_bodies=2, place_seconds=0.2)


@pytest.mark.parametrize("length", [b"Content-Length: 65537", b"Transfer-Encoding: chunked"])
def test_too_many_large_bodies_at_once(length: bytes) -> None:
    head = b"POST /validate HTTP/1.1\r\nHost: a\r\n" + length + b"\r\n\r\n"

    async def main(served: Served) -> None:
        held = [await served.opened(f"127.0.0.{number}") for number in (2, 3)]
        for _, writer in held:
            writer.write(head)
        while not served.webhook._large_bodies.full:
            await asyncio.sleep(0.005)
        reader, writer = await served.opened()
        writer.write(head)
        received = await reader.readuntil(b"\r\n\r\n")
        assert received.startswith(b"HTTP/1.1 429 ")
        assert b"Retry-After: 1\r\n" in received
        writer.close()
        for small in (b"", b"{}"):
            assert (await served.post(small))[0] == 400  # it needs no slot
        for _, writer in held:
            writer.close()
        while served.webhook._large_bodies.running:
            await asyncio.sleep(0.005)
        assert (await served.post(b" " * (SMALL_BODY + 1)))[0] == 400
        assert 'celvet_errors_total{reason="full"} 1.0' in served.metrics.exposition().decode()

    run(main, limits=_PLACES)


def test_a_large_body_is_read_when_another_is_answered() -> None:
    head = b"POST /validate HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n"

    async def main(served: Served) -> None:
        first, second = [await served.opened() for _ in range(2)]
        first[1].write(head)
        while not served.webhook._large_bodies.full:
            await asyncio.sleep(0.005)
        second[1].write(head + b"-" * 65537)
        first[1].write(b"-" * 65537)
        for reader, writer in (first, second):
            assert (await reader.readuntil(b"\r\n")).startswith(b"HTTP/1.1 400 ")
            writer.close()

    run(main, limits=replace(_PLACES, large_bodies=1, place_seconds=60))


def test_slow_bodies_of_one_address_keep_out_no_other() -> None:
    head = b"POST /validate HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n"

    async def main(served: Served) -> None:
        slow = [await served.opened("127.0.0.2") for _ in range(4)]
        for _, writer in slow:
            writer.write(head)
        while len(served.webhook._large_bodies) < 3:
            await asyncio.sleep(0.005)
        assert (await served.post(b" " * 65537))[0] == 400
        for _, writer in slow:
            writer.close()

    run(main, limits=replace(_PLACES, place_seconds=60, body_seconds=60))


HEALTH = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"


def test_the_connection_idle_longest_is_closed_for_a_new_one(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def main(served: Served) -> None:
        (first, _), (second, writer), (third, _) = [await served.opened() for _ in range(3)]
        assert await first.read() == b""
        writer.write(HEALTH)
        await second.readuntil(b"ok")
        assert (await served.post())[0] == 200
        assert await third.read() == b""
        writer.write(HEALTH)
        await second.readuntil(b"ok")
        writer.close()
        shown = served.metrics.exposition().decode()
        assert 'celvet_errors_total{reason="connections"} 2.0' in shown

    run(main, limits=Limits(connections=2))
    (record,) = [each for each in caplog.records if "too many" in each.message]
    assert "the one idle longest is closed" in record.message


async def _two_half_bodies(served: Served) -> list[Connection]:
    """Two connections, each with a request whose body lacks a byte."""
    connections = [await served.opened() for _ in range(2)]
    for _, writer in connections:
        writer.write(b"POST /validate HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{")
    while len(served.connections._active) < 2:
        await asyncio.sleep(0.005)
    return connections


def test_a_new_connection_is_refused_when_all_are_busy() -> None:
    async def main(served: Served) -> None:
        held = await _two_half_bodies(served)
        reader, _ = await served.opened()
        assert await reader.read() == b""
        for reader, writer in held:
            writer.write(b"}")
            assert (await reader.readuntil(b"\r\n")).startswith(b"HTTP/1.1 400 ")
            writer.close()

    run(main, limits=Limits(connections=2, stalled=600))


def test_a_body_that_does_not_arrive_gives_way_to_a_new_connection(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def main(served: Served) -> None:
        held = await _two_half_bodies(served)
        assert (await served.post())[0] == 200
        for _, writer in held:
            writer.close()

    run(main, limits=Limits(connections=2, stalled=0, body_seconds=600))
    assert "one whose request does not arrive is closed" in caplog.text


def test_who_says_nothing_gives_way_to_a_new_handshake() -> None:
    async def main(served: Served) -> None:
        silent = [await asyncio.open_connection("localhost", served.port) for _ in range(3)]
        assert await silent[0][0].read() == b""
        assert (await served.post())[0] == 200
        for _, writer in silent:
            writer.close()

    run(main, limits=Limits(handshakes=2))


def test_a_handshake_has_a_time_limit() -> None:
    async def main(served: Served) -> None:
        reader, writer = await asyncio.open_connection("localhost", served.port)
        assert await reader.read() == b""
        writer.close()

    run(main, limits=Limits(first_request=0.2))


def test_what_comes_with_the_end_of_the_handshake_is_read() -> None:
    async def main(served: Served) -> None:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        context = served.trusting()
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        client = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
        reader, writer = await asyncio.open_connection("localhost", served.port)
        with pytest.raises(ssl.SSLWantReadError):
            client.do_handshake()
        writer.write(outgoing.read())
        while True:
            incoming.write(await reader.read(65536))
            try:
                client.do_handshake()
                break
            except ssl.SSLWantReadError:
                continue
        client.write(HEALTH)
        writer.write(outgoing.read())  # the client's last message and its request, in one
        received = b""
        while b"ok" not in received:
            incoming.write(await reader.read(65536))
            with suppress(ssl.SSLWantReadError):
                received += client.read()
        writer.close()

    run(main)


def left(context: ssl.SSLContext) -> bool:
    """Whether a handshake with a context still takes memory."""
    found = [each for each in gc.get_objects() if isinstance(each, SSLProtocol)]
    return any(each._sslcontext is context for each in found)


@pytest.mark.parametrize("reason", ["the client refuses", "the client leaves", "no TLS"])
def test_a_failed_handshake_leaves_nothing_behind(reason: str) -> None:
    async def main(served: Served) -> None:
        gc.collect()
        gc.disable()
        try:
            for _ in range(5):
                if reason == "the client refuses":
                    with pytest.raises(ssl.SSLError):
                        await served.post(context=ssl.create_default_context())
                else:
                    _, writer = await asyncio.open_connection("localhost", served.port)
                    writer.write(b"GET / HTTP/1.1\r\n\r\n" if reason == "no TLS" else b"")
                    writer.close()
            while len(served.connections._handshakes) or left(served.context):
                await asyncio.sleep(0.01)
        finally:
            gc.enable()

        refused = 5.0 if reason == "no TLS" else 0.0
        shown = served.metrics.exposition().decode()
        count = f'celvet_errors_total{{reason="handshake"}} {refused}'
        assert (count in shown) is bool(refused)

    run(main)


def test_each_header_has_a_time_limit() -> None:
    async def main(served: Served) -> None:
        reader, writer = await served.opened()
        for _ in range(2):
            writer.write(HEALTH)
            await reader.readuntil(b"ok")
            await asyncio.sleep(1.2)  # idle for longer than a header may take
        writer.write(HEALTH[:20])
        assert await reader.read() == b""

    run(main, limits=Limits(first_request=1))


def test_the_last_answer_of_a_draining_server() -> None:
    async def main(served: Served) -> None:
        reader, writer = await served.opened()
        served.webhook.draining = True
        writer.write(b"POST /validate HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}")
        received = await reader.read()
        assert b"Connection: close" in received
        writer.close()

    run(main)


def client_pair(signer: Pair) -> Pair:
    """A certificate for a client, that is, one for any purpose."""
    key = ec.generate_private_key(ec.SECP256R1())
    now = local_now()
    builder = x509.CertificateBuilder(
        signer.certificate.subject,
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "api-server")]),
        key.public_key(),
        x509.random_serial_number(),
        now - timedelta(hours=1),
        now + timedelta(hours=1),
    )
    return Pair.of(builder.sign(signer.private_key(), hashes.SHA256()), key)


def test_client_certificates(tmp_path: Path) -> None:
    clients = new_authority(local_now(), Dates())
    authority = tmp_path / "clients.pem"
    authority.write_bytes(clients.certificate_pem)

    async def main(served: Served) -> None:
        assert (await served.post(context=showing(served, clients)))[0] == 200
        with pytest.raises((aiohttp.ClientError, OSError)):
            await served.post()
        with pytest.raises((aiohttp.ClientError, OSError)):
            await served.post(context=showing(served, served.authority))

    def showing(served: Served, signer: Pair) -> ssl.SSLContext:
        shown = tmp_path / "shown.pem"
        pair = client_pair(signer)
        shown.write_bytes(pair.certificate_pem + pair.key)
        context = served.trusting()
        context.load_cert_chain(shown)
        return context

    run(main, settings=TLSSettings(client_ca=authority))


def test_a_long_text_is_cut_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    from celvet.webhook.logs import JSONFormatter

    long = "a" * 3_000_000 + "z"
    extra = {"fields": {"uid": long, "user": long, "seconds": 1.5, "rules": ["r"]}}
    logging.getLogger("x").error(long, exc_info=ValueError(long), extra=extra)
    line = JSONFormatter().format(caplog.records[-1])
    assert len(line) < 15_000
    entry = json.loads(line)
    assert entry["uid"] == "a" * 500 + "... 2999001 more ..." + "a" * 499 + "z"
    assert (entry["seconds"], entry["rules"]) == (1.5, ["r"])


def test_the_log_is_one_object_a_line(caplog: pytest.LogCaptureFixture) -> None:
    from celvet.webhook.logs import JSONFormatter

    extra = {"fields": {"uid": "u"}}
    logging.getLogger("x").error("message %s", "text", exc_info=ValueError("a\nb"), extra=extra)
    line = JSONFormatter().format(caplog.records[-1])
    assert "\n" not in line
    entry = json.loads(line)
    assert (entry["level"], entry["message"], entry["uid"]) == ("error", "message text", "u")
    assert entry["time"].endswith("Z")
    assert "ValueError" in entry["trace"]


def test_each_reason_to_refuse_a_request_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    async def main(served: Served) -> None:
        for body in (b"{", b"{", b"[]", b"{"):
            assert (await served.post(body))[0] == 400
        assert 'celvet_errors_total{reason="malformed"} 4.0' in served.metrics.exposition().decode()

    run(main)
    reasons = [each.fields["reason"] for each in caplog.records if each.msg == "malformed request"]  # type: ignore[attr-defined]
    assert len(reasons) == len({*reasons}) == 2


def test_a_client_cannot_use_up_the_lines_of_the_log() -> None:
    throttle = LogThrottle()
    assert sum(throttle.allows(f"reason {number}", 0.0) for number in range(100)) == 32
    assert not throttle.allows("reason 1", 59.0)
    assert throttle.allows("reason 1", 60.0)
    assert throttle.allows("another one", 60.0)
    assert throttle.allows("another one", 30.0)  # a clock that is set back


def test_invalid_http_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    only_first = _InvalidHTTP()
    for _ in range(3):
        logging.getLogger("x").error(
            "Error handling request", exc_info=ValueError("a\nb:\n\n  b'{\"secret\"'\n  ^")
        )
    assert [only_first.filter(each) for each in caplog.records] == [True, False, False]
    assert caplog.records[0].exc_info is None
    assert caplog.records[0].fields == {"reason": "a b"}  # type: ignore[attr-defined]
