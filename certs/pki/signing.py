"""Issuing a serving certificate from a bundle: who signs, for which names."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from celvet.certs.errors import UnusableError
from celvet.certs.pki import pem
from celvet.certs.pki.authority import key_usage, new_authority
from celvet.certs.pki.bundle import Bundle, Renewal, Retired
from celvet.certs.pki.names import Names
from celvet.certs.pki.pair import Pair
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.pki.verification import refusal
from celvet.record import record, replace


@record
class RenewalInputs:
    """The inputs of renewal besides the bundle."""

    now: datetime
    policy: RenewalPolicy
    names: Names


def sign(bundle: Bundle, at: RenewalInputs, reason: str) -> Renewal:
    """Issue a serving certificate, signed by the first authority whose signature clients accept."""
    for choice in _choices(bundle, at):
        leaf = _accepted_leaf(choice, at)
        if leaf:
            step = f"a serving certificate was issued: {reason}"
            return Renewal(replace(choice, serving=leaf), (step,))
    raise UnusableError(
        f"no certificate for `{', '.join(at.names.texts)}` can be made that clients accept"
    )


def _choices(bundle: Bundle, at: RenewalInputs) -> Iterator[Bundle]:
    """The bundle for each possible signer: the present one, the incoming one, a new one."""
    if bundle.signer:
        yield bundle
    if bundle.incoming:
        yield promote(bundle, at)
    yield promote(replace(bundle, incoming=None), at)


def _accepted_leaf(bundle: Bundle, at: RenewalInputs) -> Pair | None:
    """A certificate by the signer; None if clients would reject it, as with a foreign signer."""
    if bundle.signer is None:
        return None
    try:
        leaf = new_leaf(bundle.signer, at.names, at.now, at.policy)
    except ValueError:
        return None
    return None if refusal(leaf.certificate, [bundle.signer.certificate], at.now) else leaf


def promote(bundle: Bundle, at: RenewalInputs) -> Bundle:
    """Let the incoming authority sign from now on, or a new one if there is none."""
    authority = bundle.incoming.authority if bundle.incoming else new_authority(at.now, at.policy)
    former_signers = bundle.retired
    if bundle.signer:
        former = _retire(bundle.signer.certificate, bundle.serving, at)
        former_signers = (former, *former_signers)
    return replace(bundle, signer=authority, incoming=None, retired=former_signers)


def _retire(certificate: x509.Certificate, serving: Pair | None, at: RenewalInputs) -> Retired:
    """Keep an authority trusted until no replica can serve anything that it signed."""
    end = at.now + at.policy.leaf_validity
    if serving:
        end = max(end, serving.certificate.not_valid_after_utc)
    return Retired(certificate, min(end, certificate.not_valid_after_utc))


def new_leaf(signer: Pair, names: Names, now: datetime, policy: RenewalPolicy) -> Pair:
    """A new serving certificate, ECDSA P-256, that never outlives its signer.

    Raises `ValueError` if the signer's key or dates do not allow it.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    signing_key = signer.private_key()
    # A leaf that outlives its signer would be valid by its dates, and refused by every client.
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
    for extension, critical in [
        (x509.BasicConstraints(ca=False, path_length=None), True),
        (key_usage("digital_signature"), True),
        (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False),
        (x509.SubjectAlternativeName(names.general_names()), False),
        (x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False),
        (_signer_identifier(signer.certificate), False),
    ]:
        builder = builder.add_extension(extension, critical=critical)
    return Pair.of(builder.sign(signing_key, pem.signature_hash(signing_key)), key)


def _subject(names: Names) -> x509.Name:
    common_name = names.common_name() or "celvet webhook"
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _signer_identifier(signer: x509.Certificate) -> x509.AuthorityKeyIdentifier:
    """The signer's own key identifier, which other tools do not always derive from the key."""
    try:
        identifier = signer.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    except x509.ExtensionNotFound:
        identifier = x509.SubjectKeyIdentifier.from_public_key(signer.public_key())
    return x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier)
