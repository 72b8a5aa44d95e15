"""PEM texts to certificates and keys, and back."""

from __future__ import annotations

import re
from typing import TypeAlias

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from celvet.certs.errors import UnusableError

PrivateKey: TypeAlias = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey

_BLOCK = re.compile(rb"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL)


_UNREADABLE = (
    ValueError,
    TypeError,
    UnsupportedAlgorithm,
    x509.DuplicateExtension,
    x509.InvalidVersion,
)
"""The exceptions of cryptography for an invalid certificate."""


def split_certificates(text: bytes) -> list[bytes]:
    """The PEM blocks of certificates in a text; anything between them is ignored."""
    return _BLOCK.findall(text)


def read_certificate(block: bytes) -> x509.Certificate:
    """One certificate; raises `UnusableError`.

    The extensions and dates are read here too: cryptography parses them lazily, and the error would
    come in the middle of a decision.
    """
    try:
        certificate = x509.load_pem_x509_certificate(block)
        _ = (certificate.extensions, certificate.not_valid_before_utc)
        _ = (certificate.not_valid_after_utc, certificate.subject, certificate.issuer)
        certificate.public_key()
    except _UNREADABLE as error:
        raise UnusableError("the certificate cannot be read") from error
    return certificate


def read_chain(text: bytes) -> tuple[x509.Certificate, ...]:
    """All certificates of a text, at least one; raises `UnusableError`."""
    blocks = split_certificates(text)
    if not blocks:
        raise UnusableError("there is no PEM certificate in it")
    return tuple(read_certificate(block) for block in blocks)


def write_certificate(certificate: x509.Certificate) -> bytes:
    """PEM of a certificate, ending in a line feed."""
    return certificate.public_bytes(Encoding.PEM)


def read_key(text: bytes) -> PrivateKey:
    """The private key in a PEM text; raises `UnusableError` for any other or encrypted one."""
    try:
        key = load_pem_private_key(text, password=None)
    except TypeError as error:
        raise UnusableError("the private key is encrypted") from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise UnusableError("the private key cannot be read") from error
    if not isinstance(key, PrivateKey):
        raise UnusableError("the private key is neither ECDSA nor RSA nor Ed25519")
    return key


def write_key(key: PrivateKey) -> bytes:
    """PKCS#8 PEM of a private key, not encrypted."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def belongs(key: PrivateKey, certificate: x509.Certificate) -> bool:
    """Whether the certificate is for this key."""
    form = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return key.public_key().public_bytes(*form) == certificate.public_key().public_bytes(*form)


def signature_hash(key: PrivateKey) -> hashes.SHA256 | None:
    """The hash to sign with: SHA-256, or None for Ed25519, which brings its own."""
    return None if isinstance(key, ed25519.Ed25519PrivateKey) else hashes.SHA256()


def sha256(certificate: x509.Certificate) -> str:
    """SHA-256 of a certificate, in lower-case hexadecimal."""
    return certificate.fingerprint(hashes.SHA256()).hex()
