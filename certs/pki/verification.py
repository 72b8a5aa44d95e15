"""Whether a client would accept a serving certificate, and why not."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.x509 import DNSName, IPAddress
from cryptography.x509 import verification as path

from celvet.certs.pki.names import Names


def refusal(
    leaf: x509.Certificate, trusted: Sequence[x509.Certificate], now: datetime
) -> str | None:
    """Why a client that trusts these authorities refuses the certificate; None if it does not.

    Dates are checked first, so that the reason names them. Then comes the path, by cryptography's
    rules for the web, which are stricter than Go's: what passes here also passes in the API server.
    """
    if reason := untimely(leaf, now):
        return reason
    if not trusted:
        return "no authority is trusted"
    names = Names.of_certificate(leaf)
    if not names.texts:
        return "it has no DNS name and no IP address"
    verifier = path.PolicyBuilder().store(path.Store(list(trusted))).time(now)
    try:
        verifier.build_server_verifier(_subject(names)).verify(leaf, [])
    except (path.VerificationError, ValueError, UnsupportedAlgorithm) as error:
        return _reason(leaf, trusted, error)
    return None


def untimely(certificate: x509.Certificate, now: datetime) -> str | None:
    """The problem with the dates at this moment, or None."""
    if now < certificate.not_valid_before_utc:
        return f"it is not valid before {stamp(certificate.not_valid_before_utc)}"
    if now >= certificate.not_valid_after_utc:
        return f"it expired at {stamp(certificate.not_valid_after_utc)}"
    return None


def stamp(moment: datetime) -> str:
    """A time for users: RFC 3339 in UTC, to the second."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _subject(names: Names) -> path.Subject:
    """One of the names, as a client would request it; raises `ValueError` if there is none."""
    if not names.dns:
        return IPAddress(names.ips[0])
    name = names.dns[0]
    return DNSName("x" + name[1:] if name.startswith("*") else name)


def _reason(leaf: x509.Certificate, issuers: Sequence[x509.Certificate], error: Exception) -> str:
    if not any(_signed_by(leaf, issuer) for issuer in issuers):
        return "no trusted authority signed it"
    return f"no valid path to a trusted authority ({error})"


def _signed_by(leaf: x509.Certificate, issuer: x509.Certificate) -> bool:
    try:
        leaf.verify_directly_issued_by(issuer)
    except Exception:  # an unusable key, an unknown signature algorithm: all mean no
        return False
    return True
