"""Damaged certificates: always a reason, never an exception of another kind."""

from __future__ import annotations

import base64
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import dsa, ec
from cryptography.hazmat.primitives.serialization import Encoding
from hypothesis import example, given
from hypothesis import strategies as st

from celvet.certs.errors import UnusableError
from celvet.certs.pki.bundle import Bundle
from celvet.certs.pki.material import decode, encode
from celvet.certs.pki.names import Names
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.pki.verification import refusal
from celvet.certs.rotation.renewal import renew
from celvet.certs.serving.tls import LiveTLS
from tests.certs.virtual_time import START

NAMES = Names.parse(["webhook.celvet.svc"], ["10.0.0.1"])
FIRST = renew(Bundle(), START, RenewalPolicy(), NAMES).bundle
TEXTS = encode(FIRST)


def pem_of(der: bytes) -> bytes:
    body = base64.encodebytes(der)
    return b"-----BEGIN CERTIFICATE-----\n" + body + b"-----END CERTIFICATE-----\n"


def bent(entry: str) -> st.SearchStrategy[bytes]:
    """A certificate with some bytes of its DER replaced."""
    der = x509.load_pem_x509_certificate(TEXTS[entry]).public_bytes(Encoding.DER)
    changes = st.lists(st.tuples(st.integers(0, len(der) - 1), st.integers(0, 255)), max_size=4)

    def change(places: list[tuple[int, int]]) -> bytes:
        content = bytearray(der)
        for place, byte in places:
            content[place] = byte
        return pem_of(bytes(content))

    return changes.map(change)


@pytest.mark.filterwarnings("ignore::cryptography.utils.CryptographyDeprecationWarning")
@given(bent("tls.crt"), bent("ca.crt"))
def test_damaged_certificates(leaf: bytes, authority: bytes) -> None:
    texts = {**TEXTS, "tls.crt": leaf, "ca.crt": authority}
    bundle = renew(decode(texts)[0], START, RenewalPolicy(), NAMES).bundle
    assert bundle.serving
    assert refusal(bundle.serving.certificate, bundle.trusted, START) is None
    with suppress(UnusableError):
        LiveTLS().load(leaf, TEXTS["tls.key"])


@given(st.binary(max_size=300), st.binary(max_size=300))
@example(
    b"-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----", b"-----BEGIN EC PRIVATE KEY-----"
)
def test_bytes_of_any_kind(certificate: bytes, key: bytes) -> None:
    texts = {"tls.crt": certificate, "tls.key": key, "ca.crt": certificate}
    bundle, problems = decode(texts)
    assert bundle == Bundle()
    assert bool(problems) is bool(certificate or key)
    with pytest.raises(UnusableError):
        LiveTLS().load(certificate, key)


def signed(
    build: Callable[[x509.CertificateBuilder], x509.CertificateBuilder] = lambda builder: builder,
    key: ec.EllipticCurvePrivateKey | dsa.DSAPrivateKey | None = None,
) -> x509.Certificate:
    """A self-signed certificate of another server."""
    own = key or ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "odd\n\x1b[31mname")])
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(own.public_key())
        .serial_number(1)
        .not_valid_before(START - timedelta(days=1))
        .not_valid_after(START + timedelta(days=1))
    )
    return build(builder).sign(own, hashes.SHA256())


def with_names(*names: x509.GeneralName) -> x509.Certificate:
    extension = x509.SubjectAlternativeName(names)
    return signed(lambda builder: builder.add_extension(extension, critical=False))


@pytest.mark.parametrize(
    "certificate",
    [
        signed(),
        signed(key=dsa.generate_private_key(1024)),
        signed(key=ec.generate_private_key(ec.SECP256K1())),
        with_names(x509.DNSName("two words")),
        with_names(x509.DNSName("")),
        with_names(x509.DNSName("*")),
        with_names(x509.RFC822Name("a@b.c")),
        with_names(x509.IPAddress(next(iter(NAMES.ips)))),
    ],
)
def test_odd_certificates(certificate: x509.Certificate) -> None:
    assert refusal(certificate, FIRST.trusted, START)


@pytest.mark.parametrize(
    "announced",
    ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00", "2026-01-01T02:00:00+02:00"],
)
def test_odd_times(announced: str) -> None:
    texts = {**TEXTS, "next-ca.key": TEXTS["ca.key"]}
    del texts["ca.key"]
    texts["state.json"] = f'{{"version": 1, "announced": "{announced}"}}'.encode()
    bundle = renew(decode(texts)[0], START, RenewalPolicy(), NAMES).bundle
    assert bundle.serving == FIRST.serving
    assert decode(encode(bundle)) == (bundle, ())
