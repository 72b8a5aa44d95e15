"""The certificate of a running server is swapped: new handshakes see it, nothing breaks."""

from __future__ import annotations

import asyncio
import os
import ssl
import stat
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from celvet.certs.errors import UnusableError
from celvet.certs.pki import pem
from celvet.certs.pki.authority import new_authority
from celvet.certs.pki.names import Names
from celvet.certs.pki.pair import Pair
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.pki.signing import new_leaf
from celvet.certs.serving.tls import LiveTLS, TLSSettings
from tests.certs.acceptance import client_context, handshake
from tests.certs.virtual_time import run

NAME = "webhook.celvet.svc"
NOW = datetime.now(UTC)
AUTHORITY = new_authority(NOW, RenewalPolicy())
ONE, TWO = (new_leaf(AUTHORITY, Names.parse([NAME]), NOW, RenewalPolicy()) for _ in range(2))


def live(pair: Pair = ONE, **settings: object) -> LiveTLS:
    server = LiveTLS(TLSSettings(**settings))  # type: ignore[arg-type]
    server.load(pair.certificate_pem, pair.key)
    return server


def client() -> ssl.SSLContext:
    return client_context(AUTHORITY.certificate_pem)


def reissued(signer: Pair, key: pem.PrivateKey, without: type[x509.ExtensionType]) -> Pair:
    """A leaf like the others, for another key and with one extension less."""
    template = new_leaf(signer, Names.parse([NAME]), NOW, RenewalPolicy()).certificate
    builder = x509.CertificateBuilder(
        template.issuer,
        template.subject,
        key.public_key(),
        template.serial_number,
        template.not_valid_before_utc,
        template.not_valid_after_utc,
        [each for each in template.extensions if not isinstance(each.value, without)],
    )
    signing_key = signer.private_key()
    return Pair.of(builder.sign(signing_key, pem.signature_hash(signing_key)), key)


def rsa_leaf() -> Pair:
    """As if cert-manager switched to another type of key."""
    key = rsa.generate_private_key(65537, 2048)
    return reissued(AUTHORITY, key, without=x509.SubjectKeyIdentifier)


class TestSwap:
    def test_new_handshakes_see_the_new_certificate(self) -> None:
        server = live(ONE)
        assert handshake(server.context, client(), NAME) == ONE.certificate
        assert server.load(TWO.certificate_pem, TWO.key)
        assert handshake(server.context, client(), NAME) == TWO.certificate
        assert server.certificate == TWO.certificate

    def test_the_same_again_is_not_a_change(self) -> None:
        assert not live(ONE).load(ONE.certificate_pem, ONE.key)

    def test_a_client_that_names_no_server_sees_it_too(self) -> None:
        server = live(ONE)
        server.load(TWO.certificate_pem, TWO.key)
        nameless = client()
        nameless.check_hostname = False
        assert handshake(server.context, nameless, None) == TWO.certificate

    def test_another_key_type_replaces_the_former_altogether(self) -> None:
        """One context would hold both, and serve the old one to clients that prefer it."""
        other = rsa_leaf()
        server = live(ONE)
        server.load(other.certificate_pem, other.key)
        lenient = ssl.create_default_context(cadata=AUTHORITY.certificate_pem.decode())
        assert handshake(server.context, lenient, NAME) == other.certificate
        lenient.maximum_version = ssl.TLSVersion.TLSv1_2
        lenient.set_ciphers("ECDHE-ECDSA-AES128-GCM-SHA256")
        with pytest.raises(ssl.SSLError):
            handshake(server.context, lenient, NAME)

    @pytest.mark.parametrize(
        ("certificate", "key"),
        [
            (TWO.certificate_pem, ONE.key),
            (TWO.certificate_pem, b"garbage"),
            (b"garbage", TWO.key),
            (b"", b""),
        ],
    )
    def test_what_cannot_be_used_changes_nothing(self, certificate: bytes, key: bytes) -> None:
        server = live(ONE)
        with pytest.raises(UnusableError):
            server.load(certificate, key)
        assert handshake(server.context, client(), NAME) == ONE.certificate
        assert server.certificate == ONE.certificate

    def test_before_the_first_there_are_no_handshakes(self) -> None:
        with pytest.raises(ssl.SSLError):
            handshake(LiveTLS().context, client(), NAME)

    @pytest.mark.usefixtures("frequent_switches")
    def test_handshakes_of_other_threads_never_see_half_a_swap(self) -> None:
        """With `load_cert_chain` on the shared context this ends the process."""
        server = live(ONE)
        done = threading.Event()
        shown: list[x509.Certificate] = []
        failures: list[Exception] = []

        def shake() -> None:
            context = client()
            while not done.is_set():
                try:
                    shown.append(handshake(server.context, context, NAME))
                except Exception as error:
                    failures.append(error)

        threads = [threading.Thread(target=shake) for _ in range(3)]
        for thread in threads:
            thread.start()
        for turn in range(100):
            pair = (TWO, ONE)[turn % 2]
            server.load(pair.certificate_pem, pair.key)
        for pair in (TWO, ONE):
            server.load(pair.certificate_pem, pair.key)
            while pair.certificate not in shown and not failures:
                time.sleep(0.001)
        done.set()
        for thread in threads:
            thread.join(timeout=300)
        assert failures == []
        assert set(shown) == {ONE.certificate, TWO.certificate}


async def _echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while line := await reader.readline():
        writer.write(line)
    writer.close()


class TestSettings:
    @pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
    def test_the_minimum_is_what_was_set(self, version: ssl.TLSVersion) -> None:
        server = live(minimum=version)
        at_most_1_2 = client()
        at_most_1_2.maximum_version = ssl.TLSVersion.TLSv1_2
        if version is ssl.TLSVersion.TLSv1_3:
            with pytest.raises(ssl.SSLError):
                handshake(server.context, at_most_1_2, NAME)
        else:
            assert handshake(server.context, at_most_1_2, NAME) == ONE.certificate

    @pytest.mark.parametrize("cipher", ["ECDHE-ECDSA-AES128-SHA", "AES128-GCM-SHA256"])
    def test_weak_ciphers_are_refused(self, cipher: str) -> None:
        weak = client()
        weak.maximum_version = ssl.TLSVersion.TLSv1_2
        weak.set_ciphers(f"{cipher}:@SECLEVEL=0")
        with pytest.raises(ssl.SSLError):
            handshake(live().context, weak, NAME)

    def test_a_key_touches_no_disk_where_memory_will_do(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def no_file(*_: object, **__: object) -> None:
            raise OSError("read-only file system")

        monkeypatch.setattr(tempfile, "mkstemp", no_file)
        if hasattr(os, "memfd_create"):
            live()
        else:
            with pytest.raises(UnusableError):
                live()

    def test_elsewhere_it_is_a_private_file_for_a_moment(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.delattr(os, "memfd_create", raising=False)
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        made: list[int] = []
        load = ssl.SSLContext.load_cert_chain

        def watched(context: ssl.SSLContext, path: str) -> None:
            made.append(stat.S_IMODE(Path(path).stat().st_mode))
            load(context, path)

        monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", watched)
        live()
        assert made == [0o600]
        assert list(tmp_path.iterdir()) == []


class TestClientCertificates:
    @pytest.fixture
    def authority(self, tmp_path: Path) -> tuple[Path, Pair]:
        signer = new_authority(NOW, RenewalPolicy())
        path = tmp_path / "client-ca.crt"
        path.write_bytes(signer.certificate_pem)
        return path, signer

    def with_certificate(self, directory: Path, signer: Pair) -> ssl.SSLContext:
        """A client whose certificate, for any purpose, an authority signed."""
        key = ec.generate_private_key(ec.SECP256R1())
        pair = reissued(signer, key, without=x509.ExtendedKeyUsage)
        path = directory / "client.pem"
        path.write_bytes(pair.certificate_pem + pair.key)
        context = client()
        context.maximum_version = ssl.TLSVersion.TLSv1_2  # where the refusal shows at once
        context.load_cert_chain(path)
        return context

    def test_one_is_asked_for_and_checked(
        self, authority: tuple[Path, Pair], tmp_path: Path
    ) -> None:
        path, signer = authority
        server = live(client_ca=path)
        known = self.with_certificate(tmp_path, signer)
        assert handshake(server.context, known, NAME) == ONE.certificate
        stranger = self.with_certificate(tmp_path, new_authority(NOW, RenewalPolicy()))
        with pytest.raises(ssl.SSLError):
            handshake(server.context, stranger, NAME)
        with pytest.raises(ssl.SSLError):
            handshake(server.context, client(), NAME)

    def test_a_new_client_authority_counts_from_the_next_load(
        self, authority: tuple[Path, Pair], tmp_path: Path
    ) -> None:
        path, signer = authority
        server = live(client_ca=path)
        other = new_authority(NOW, RenewalPolicy())
        path.write_bytes(other.certificate_pem)
        assert server.load(ONE.certificate_pem, ONE.key)
        handshake(server.context, self.with_certificate(tmp_path, other), NAME)
        with pytest.raises(ssl.SSLError):
            handshake(server.context, self.with_certificate(tmp_path, signer), NAME)

    @pytest.mark.parametrize("content", [b"", b"garbage", b"\xff"])
    def test_a_file_without_authorities_is_reported(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "ca.crt"
        path.write_bytes(content)
        with pytest.raises(UnusableError, match="contains no usable client authority"):
            LiveTLS(TLSSettings(client_ca=path))

    def test_a_missing_file_is_reported(self, tmp_path: Path) -> None:
        with pytest.raises(UnusableError, match=r"cannot read `.*absent`: No such file"):
            LiveTLS(TLSSettings(client_ca=tmp_path / "absent"))


def test_go_shakes_hands(tmp_path: Path, go_client: Callable[..., str]) -> None:
    """As the API server does: HTTP/2 offered first, our bundle as the only roots."""
    bundle = tmp_path / "ca.crt"
    bundle.write_bytes(AUTHORITY.certificate_pem)

    async def main() -> str:
        server = live(ONE)
        server.load(TWO.certificate_pem, TWO.key)
        listener = await asyncio.start_server(_echo, "127.0.0.1", 0, ssl=server.context)
        async with listener:
            port = listener.sockets[0].getsockname()[1]
            return await asyncio.to_thread(go_client, bundle, "-dial", f"127.0.0.1:{port}", NAME)

    assert run(main()) == "ok"
