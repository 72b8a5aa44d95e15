"""Issues a certificate authority."""

from __future__ import annotations

from datetime import datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from celvet.certs.pki.pair import Pair
from celvet.certs.pki.policy import RenewalPolicy

_NO_USAGE = dict.fromkeys(
    [
        "digital_signature",
        "content_commitment",
        "key_encipherment",
        "data_encipherment",
        "key_agreement",
        "key_cert_sign",
        "crl_sign",
        "encipher_only",
        "decipher_only",
    ],
    False,
)


def key_usage(*allowed: str) -> x509.KeyUsage:
    """The extension that allows only these uses, by their names in `x509.KeyUsage`."""
    return x509.KeyUsage(**_NO_USAGE | dict.fromkeys(allowed, True))


def new_authority(now: datetime, policy: RenewalPolicy) -> Pair:
    """A fresh self-signed authority, ECDSA P-256, that may sign serving certificates only.

    Its common name carries the start of its key identifier: while two authorities
    are trusted at once, verifiers that look issuers up by name (OpenSSL) and people
    can tell them apart.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    identifier = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    name = x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "celvet"),
            x509.NameAttribute(NameOID.COMMON_NAME, f"celvet CA {identifier.digest.hex()[:16]}"),
        ]
    )
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - policy.backdate)
        .not_valid_after(now + policy.authority_validity)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(key_usage("key_cert_sign", "crl_sign"), critical=True)
        .add_extension(identifier, critical=False)
        .sign(key, hashes.SHA256())
    )
    return Pair.of(certificate, key)


def is_authority(certificate: x509.Certificate) -> bool:
    """Whether a certificate may sign others: a CA whose key usage allows it."""
    extensions = certificate.extensions
    try:
        constraints = extensions.get_extension_for_class(x509.BasicConstraints).value
        usage = extensions.get_extension_for_class(x509.KeyUsage).value
    except x509.ExtensionNotFound:
        return False
    return constraints.ca and usage.key_cert_sign
