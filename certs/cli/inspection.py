"""Inspects certificates: what they contain and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from celvet.certs.errors import UnusableError
from celvet.certs.pki import pem
from celvet.certs.pki.authority import is_authority
from celvet.certs.pki.bundle import Bundle
from celvet.certs.pki.material import AUTHORITIES, CERTIFICATE, KEY, Material, decode, is_foreign
from celvet.certs.pki.names import Names
from celvet.certs.pki.verification import refusal, stamp, untimely
from celvet.record import record

_CURVES = {"secp256r1": "P-256", "secp384r1": "P-384", "secp521r1": "P-521"}
"""Curves by the names that Go, Kubernetes and NIST use."""


@record
class CertificateFacts:
    """One certificate. `role` is given for our authorities: it signs now, next, or no longer."""

    certificate: x509.Certificate
    days_left: int
    role: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The subject alternative names."""
        return Names.of_certificate(self.certificate).texts

    @property
    def key_kind(self) -> str:
        """Algorithm and size of the public key."""
        key = self.certificate.public_key()
        if isinstance(key, ec.EllipticCurvePublicKey):
            return f"ECDSA {_CURVES.get(key.curve.name, key.curve.name)}"
        if isinstance(key, rsa.RSAPublicKey):
            return f"RSA {key.key_size}"
        return type(key).__name__.removesuffix("PublicKey")


@record
class BundleInspection:
    """The certificates in one place, and all problems with them.

    `chain` and `key` are None if there is nothing to check, empty if all is well, else the
    problem.
    """

    serving: CertificateFacts | None
    chain: str | None
    key: str | None
    authorities: tuple[CertificateFacts, ...]
    problems: tuple[str, ...]


def inspect(material: Material, now: datetime, fewest_days: int = 0) -> BundleInspection:
    """Inspect our bundle, or the three files of any `kubernetes.io/tls` Secret.

    A certificate with fewer than `fewest_days` days left is a problem too. Never raises.
    """
    damage: list[str] = []
    chain = _readable(material, CERTIFICATE, damage)
    authorities = _readable(material, AUTHORITIES, damage)
    leaf = chain[0] if chain else None
    trusted = [*authorities, *(extra for extra in chain[1:] if _is_root(extra))]
    bundle = Bundle()
    if not is_foreign(material):
        bundle, damaged = decode(material)
        damage = [*damaged, *_lost_key(bundle)]
    roles = _roles(bundle)
    found = BundleInspection(
        serving=_facts(leaf, now) if leaf else None,
        chain=_chain(leaf, trusted, now, chain[1:]) if leaf else None,
        key=_key(leaf, material.get(KEY)) if leaf else None,
        authorities=tuple(_facts(each, now, roles.get(each)) for each in authorities),
        problems=(),
    )
    problems = dict.fromkeys((*damage, *_problems(found, now, fewest_days)))
    return BundleInspection(
        found.serving, found.chain, found.key, found.authorities, tuple(problems)
    )


def _readable(material: Material, entry: str, damage: list[str]) -> list[x509.Certificate]:
    found = []
    for block in pem.split_certificates(material.get(entry, b"")):
        try:
            found.append(pem.read_certificate(block))
        except UnusableError as error:
            damage.append(f"`{entry}` is damaged: {error}")
    return found


def _facts(
    certificate: x509.Certificate, now: datetime, role: str | None = None
) -> CertificateFacts:
    left = certificate.not_valid_after_utc - now
    return CertificateFacts(certificate, left // timedelta(days=1), role)


def _lost_key(bundle: Bundle) -> Iterator[str]:
    if bundle.trusted and bundle.signer is None:
        yield "the key of the authority that signs is missing"


def _roles(bundle: Bundle) -> dict[x509.Certificate, str]:
    roles = {old.certificate: f"trusted until {stamp(old.until)}" for old in bundle.retired}
    if bundle.signer:
        roles[bundle.signer.certificate] = "signs now"
    if bundle.incoming:
        since = bundle.incoming.announced
        state = f"published since {stamp(since)}" if since else "not published yet"
        roles[bundle.incoming.authority.certificate] = f"signs next, {state}"
    return roles


def _is_root(certificate: x509.Certificate) -> bool:
    return is_authority(certificate) and certificate.subject == certificate.issuer


def _chain(
    leaf: x509.Certificate,
    trusted: Sequence[x509.Certificate],
    now: datetime,
    intermediates: Sequence[x509.Certificate],
) -> str | None:
    return (refusal(leaf, trusted, now, intermediates) or "") if trusted else None


def _key(leaf: x509.Certificate, text: bytes | None) -> str | None:
    if text is None:
        return None
    try:
        matches = pem.belongs(pem.read_key(text), leaf)
    except UnusableError as error:
        return str(error)
    return "" if matches else "the private key does not belong to the certificate"


def _problems(found: BundleInspection, now: datetime, fewest_days: int) -> Iterator[str]:
    if found.serving is None and not found.authorities:
        yield "there is no certificate that can be read"
    if found.chain:
        yield f"the serving certificate cannot be used: {found.chain}"
    if found.key:
        yield found.key
    for facts in (*((found.serving,) if found.serving else ()), *found.authorities):
        name = facts.certificate.subject.rfc4514_string()
        if reason := untimely(facts.certificate, now):
            yield f"`{name}`: {reason}"
        elif facts.days_left < fewest_days:
            yield f"`{name}` expires in {facts.days_left} days"
