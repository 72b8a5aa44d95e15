"""Issuing a serving certificate from a bundle: who signs, for which names."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from cryptography import x509

from celvet.certs.errors import UnusableError
from celvet.certs.pki.authority import new_authority
from celvet.certs.pki.bundle import Bundle, Renewal, Retired
from celvet.certs.pki.leaf import new_leaf
from celvet.certs.pki.names import Names
from celvet.certs.pki.pair import Pair
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.pki.verification import refusal
from celvet.record import record, replace

_MOST_NAMES = 64
"""With more, the names of the former certificate are dropped."""


@record
class RenewalInputs:
    """The inputs of renewal besides the bundle."""

    now: datetime
    policy: RenewalPolicy
    names: Names


def sign(bundle: Bundle, at: RenewalInputs, reason: str) -> Renewal:
    """Issue a serving certificate, signed by the first authority whose signature clients accept."""
    names = _names_to_sign(bundle, at)
    for choice in _choices(bundle, at):
        leaf = _accepted_leaf(choice, names, at)
        if leaf:
            done = f"a serving certificate was issued: {reason}"
            return Renewal(replace(choice, serving=leaf), (done,))
    raise UnusableError(
        f"no certificate for `{', '.join(names.texts)}` can be made that clients accept"
    )


def _choices(bundle: Bundle, at: RenewalInputs) -> Iterator[Bundle]:
    """The bundle for each possible signer: the present one, the incoming one, a new one."""
    if bundle.signer:
        yield bundle
    if bundle.incoming:
        yield promote(bundle, at)
    yield promote(replace(bundle, incoming=None), at)


def _accepted_leaf(bundle: Bundle, names: Names, at: RenewalInputs) -> Pair | None:
    """A certificate by the signer; None if clients would reject it, as with a foreign signer."""
    if bundle.signer is None:
        return None
    try:
        leaf = new_leaf(bundle.signer, names, at.now, at.policy)
    except ValueError:
        return None
    return None if refusal(leaf.certificate, [bundle.signer.certificate], at.now) else leaf


def _names_to_sign(bundle: Bundle, at: RenewalInputs) -> Names:
    """The requested names; if the old certificate lacked some, also the names that it had.

    While a new version with other names is rolled out, old and new replicas share the stored
    certificate: without the union, each would replace the other's. The next renewal drops the
    former names.
    """
    if bundle.serving is None or refusal(bundle.serving.certificate, bundle.trusted, at.now):
        return at.names
    present = Names.of_certificate(bundle.serving.certificate)
    both = at.names | present
    return both if at.names.missing_in(present) and len(both) <= _MOST_NAMES else at.names


def promote(bundle: Bundle, at: RenewalInputs) -> Bundle:
    """Let the incoming authority sign from now on, or a new one if there is none."""
    authority = bundle.incoming.authority if bundle.incoming else new_authority(at.now, at.policy)
    retired = bundle.retired
    if bundle.signer:
        retired = (_retire(bundle.signer.certificate, bundle.serving, at), *retired)
    return replace(bundle, signer=authority, incoming=None, retired=retired)


def _retire(certificate: x509.Certificate, serving: Pair | None, at: RenewalInputs) -> Retired:
    """Keep an authority trusted until no replica can serve anything that it signed."""
    last = at.now + at.policy.leaf_validity
    if serving:
        last = max(last, serving.certificate.not_valid_after_utc)
    return Retired(certificate, min(last, certificate.not_valid_after_utc))
