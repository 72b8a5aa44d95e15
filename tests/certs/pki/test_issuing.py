"""Issued certificates, checked by real validators: OpenSSL, Python's ssl, cryptography, Go."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID

from celvet.certs.errors import UnusableError
from celvet.certs.pki import pem
from celvet.certs.pki.authority import is_authority, new_authority
from celvet.certs.pki.names import Names
from celvet.certs.pki.pair import Pair
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.pki.signing import new_leaf
from celvet.certs.pki.verification import refusal, untimely
from celvet.certs.serving.tls import LiveTLS
from tests.certs.acceptance import client_context, handshake

POLICY = RenewalPolicy()
NAMES = Names.parse(
    ["webhook.celvet.svc", "webhook.celvet.svc.cluster.local"], ["10.9.8.7", "fd00::7"]
)
NOW = datetime.now(UTC).replace(microsecond=0)
_Extension = TypeVar("_Extension", bound=x509.ExtensionType)


@pytest.fixture(scope="module")
def authority() -> Pair:
    return new_authority(NOW, POLICY)


@pytest.fixture(scope="module")
def leaf(authority: Pair) -> Pair:
    return new_leaf(authority, NAMES, NOW, POLICY)


@pytest.fixture
def files(tmp_path: Path, authority: Pair, leaf: Pair) -> tuple[Path, Path]:
    other = new_authority(NOW, POLICY)  # as during a rotation, and first
    ca, certificate = tmp_path / "ca.crt", tmp_path / "tls.crt"
    ca.write_bytes(other.certificate_pem + authority.certificate_pem)
    certificate.write_bytes(leaf.certificate_pem)
    return ca, certificate


def extension(pair: Pair, kind: type[_Extension]) -> x509.Extension[_Extension]:
    return pair.certificate.extensions.get_extension_for_class(kind)


def test_extensions_of_the_authority(authority: Pair) -> None:
    constraints = extension(authority, x509.BasicConstraints)
    assert constraints.critical
    assert constraints.value == x509.BasicConstraints(ca=True, path_length=0)
    usage = extension(authority, x509.KeyUsage)
    assert usage.critical
    assert usage.value.key_cert_sign
    assert not usage.value.digital_signature
    assert is_authority(authority.certificate)


def test_extensions_of_the_leaf(authority: Pair, leaf: Pair) -> None:
    assert extension(leaf, x509.BasicConstraints).critical
    assert not extension(leaf, x509.BasicConstraints).value.ca
    assert extension(leaf, x509.KeyUsage).value.digital_signature
    usages = list(extension(leaf, x509.ExtendedKeyUsage).value)
    assert usages == [ExtendedKeyUsageOID.SERVER_AUTH]
    signer = extension(leaf, x509.AuthorityKeyIdentifier).value.key_identifier
    assert signer == extension(authority, x509.SubjectKeyIdentifier).value.digest
    assert Names.of_certificate(leaf.certificate) == NAMES
    assert not is_authority(leaf.certificate)


def test_validity_is_backdated_and_nested(authority: Pair, leaf: Pair) -> None:
    assert leaf.certificate.not_valid_before_utc == NOW - POLICY.backdate
    assert leaf.certificate.not_valid_after_utc == NOW + POLICY.leaf_validity
    assert authority.certificate.not_valid_after_utc == NOW + POLICY.authority_validity
    late = NOW + POLICY.authority_validity - timedelta(days=1)
    last = new_leaf(authority, NAMES, late, POLICY)
    assert last.certificate.not_valid_after_utc == authority.certificate.not_valid_after_utc


def test_serials_and_names_of_authorities_are_their_own(authority: Pair, leaf: Pair) -> None:
    other = new_authority(NOW, POLICY)
    numbers = {pair.certificate.serial_number for pair in (authority, leaf, other)}
    assert len(numbers) == 3
    assert other.certificate.subject != authority.certificate.subject


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl command")
@pytest.mark.parametrize("check", [["-verify_hostname", NAMES.dns[0]], ["-verify_ip", "fd00::7"]])
def test_openssl_accepts_strictly(files: tuple[Path, Path], check: list[str]) -> None:
    ca, certificate = files
    command = ["openssl", "verify", "-x509_strict", "-purpose", "sslserver", *check]
    done = subprocess.run(
        [*command, "-no-CApath", "-CAfile", ca, certificate],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_go_accepts_each_name(files: tuple[Path, Path], go_client: Callable[..., str]) -> None:
    assert go_client(*files, *NAMES.texts) == "ok"
    assert "certificate is valid for" in go_client(*files, "other.svc")


@pytest.mark.parametrize("name", NAMES.texts)
def test_a_handshake_checks_the_name(authority: Pair, leaf: Pair, name: str) -> None:
    tls = LiveTLS()
    tls.load(leaf.certificate_pem, leaf.key)
    client = client_context(authority.certificate_pem)
    assert handshake(tls.context, client, name) == leaf.certificate
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(tls.context, client, "other.svc")


def test_a_subject_takes_no_long_name(authority: Pair) -> None:
    long = Names.parse([f"{'s' * 63}.{'n' * 63}.svc"])
    leaf = new_leaf(authority, long, NOW, POLICY)
    assert refusal(leaf.certificate, [authority.certificate], NOW) is None


@pytest.mark.parametrize("kind", ["p384", "rsa", "ed25519"])
def test_an_authority_that_others_made_may_sign(kind: str) -> None:
    makers: dict[str, Callable[[], pem.PrivateKey]] = {
        "p384": lambda: ec.generate_private_key(ec.SECP384R1()),
        "rsa": lambda: rsa.generate_private_key(65537, 2048),
        "ed25519": ed25519.Ed25519PrivateKey.generate,
    }
    key = makers[kind]()
    template = new_authority(NOW, POLICY).certificate
    builder = x509.CertificateBuilder(
        template.issuer,
        template.subject,
        key.public_key(),
        template.serial_number,
        template.not_valid_before_utc,
        template.not_valid_after_utc,
        [each for each in template.extensions if each.oid != x509.SubjectKeyIdentifier.oid],
    )
    hash_ = None if kind == "ed25519" else hashes.SHA256()
    signer = Pair.of(builder.sign(key, hash_), key)
    leaf = new_leaf(signer, NAMES, NOW, POLICY)
    leaf.certificate.verify_directly_issued_by(signer.certificate)


class TestPair:
    def test_the_key_is_in_no_representation(self, leaf: Pair) -> None:
        assert "PRIVATE" not in repr(leaf)

    @pytest.mark.parametrize(
        ("certificate", "key", "message"),
        [
            (b"", None, "there is no PEM certificate in it"),
            (b"-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----", None, "cannot be read"),
            (None, b"", "the private key cannot be read"),
            (None, b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", "cannot be"),
        ],
    )
    def test_what_is_not_pem(
        self, leaf: Pair, certificate: bytes | None, key: bytes | None, message: str
    ) -> None:
        with pytest.raises(UnusableError, match=message):
            Pair.read(
                leaf.certificate_pem if certificate is None else certificate,
                leaf.key if key is None else key,
            )

    def test_an_encrypted_key_is_reported_as_such(self, leaf: Pair) -> None:
        from cryptography.hazmat.primitives import serialization as form

        locked = leaf.private_key().private_bytes(
            form.Encoding.PEM, form.PrivateFormat.PKCS8, form.BestAvailableEncryption(b"x")
        )
        with pytest.raises(UnusableError, match="the private key is encrypted"):
            Pair.read(leaf.certificate_pem, locked)


def test_a_certificate_is_valid_from_its_first_second_to_the_one_before_its_end(
    authority: Pair,
) -> None:
    certificate = authority.certificate
    first, end = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    second = timedelta(seconds=1)
    assert untimely(certificate, first) is None
    assert untimely(certificate, end - second) is None
    assert "not valid before" in (untimely(certificate, first - second) or "")
    assert "expired at" in (untimely(certificate, end) or "")
