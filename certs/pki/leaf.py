"""Issuing of a serving certificate."""

from __future__ import annotations

from datetime import datetime

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from celvet.certs.pki import pem
from celvet.certs.pki.key_usage import key_usage
from celvet.certs.pki.names import Names
from celvet.certs.pki.pair import Pair
from celvet.certs.pki.policy import RenewalPolicy


def new_leaf(signer: Pair, names: Names, now: datetime, policy: RenewalPolicy) -> Pair:
    """A fresh serving certificate, ECDSA P-256, that never outlives its signer.

    Raises `ValueError` if the signer's key or dates do not allow it.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    signing_key = signer.private_key()
    end = min(now + policy.leaf_validity, signer.certificate.not_valid_after_utc)
    builder = (
        x509.CertificateBuilder()
        .subject_name(_subject(names))
        .issuer_name(signer.certificate.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - policy.backdate)
        .not_valid_after(end)
    )
    for extension, critical in _extensions(signer.certificate, key.public_key(), names):
        builder = builder.add_extension(extension, critical=critical)
    return Pair.of(builder.sign(signing_key, pem.signature_hash(signing_key)), key)


def _subject(names: Names) -> x509.Name:
    common_name = names.common_name() or "celvet webhook"
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _extensions(
    signer: x509.Certificate, key: ec.EllipticCurvePublicKey, names: Names
) -> list[tuple[x509.ExtensionType, bool]]:
    """Each extension, and whether it is critical."""
    return [
        (x509.BasicConstraints(ca=False, path_length=None), True),
        (key_usage("digital_signature"), True),
        (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False),
        (x509.SubjectAlternativeName(names.general_names()), False),
        (x509.SubjectKeyIdentifier.from_public_key(key), False),
        (_signer_identifier(signer), False),
    ]


def _signer_identifier(signer: x509.Certificate) -> x509.AuthorityKeyIdentifier:
    """The signer's own identifier; other tools do not always derive it from the key."""
    try:
        identifier = signer.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    except x509.ExtensionNotFound:
        identifier = x509.SubjectKeyIdentifier.from_public_key(signer.public_key())
    return x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier)
