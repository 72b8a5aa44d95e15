"""Issuing a serving certificate from a bundle: who signs, for which names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from cryptography import x509

from celvet.certs.errors import UnusableError
from celvet.certs.pki.authority import new_authority
from celvet.certs.pki.bundle import Bundle, Renewal, Retired
from celvet.certs.pki.leaf import new_leaf
from celvet.certs.pki.names import Names
from celvet.certs.pki.pair import Pair
from celvet.certs.pki.policy import Policy
from celvet.certs.pki.verification import refusal

_MOST_NAMES = 64
"""Beyond it the names of a former certificate are not kept any longer."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What a decision rests on besides the bundle."""

    now: datetime
    policy: Policy
    names: Names


def sign(bundle: Bundle, at: Situation, reason: str) -> Renewal:
    """Issue the serving certificate by the first authority that leads to an accepted one."""
    names = _names_to_sign(bundle, at)
    for choice in _choices(bundle, at):
        leaf = _accepted_leaf(choice, names, at)
        if leaf:
            done = f"a serving certificate was issued: {reason}"
            return Renewal(replace(choice, serving=leaf), (done,))
    raise UnusableError(
        f"no certificate for `{', '.join(names.texts)}` can be made that clients accept"
    )


def _choices(bundle: Bundle, at: Situation) -> Iterator[Bundle]:
    """The bundle by who could sign: the signer, the incoming authority, a new one."""
    if bundle.signer:
        yield bundle
    if bundle.incoming:
        yield promote(bundle, at)
    yield promote(replace(bundle, incoming=None), at)


def _accepted_leaf(bundle: Bundle, names: Names, at: Situation) -> Pair | None:
    """A certificate by the signer; None if it is one that others made and clients reject."""
    if bundle.signer is None:
        return None
    try:
        leaf = new_leaf(bundle.signer, names, at.now, at.policy)
    except ValueError:
        return None
    return None if refusal(leaf.certificate, [bundle.signer.certificate], at.now) else leaf


def _names_to_sign(bundle: Bundle, at: Situation) -> Names:
    """The names asked for, and for one life those of the certificate that is replaced for them.

    While a new version with other names is rolled out, old and new replicas share
    the stored certificate: without the union they would replace it in turns.
    """
    if bundle.serving is None or refusal(bundle.serving.certificate, bundle.trusted, at.now):
        return at.names
    present = Names.of_certificate(bundle.serving.certificate)
    both = at.names | present
    return both if at.names.missing_in(present) and len(both) <= _MOST_NAMES else at.names


def promote(bundle: Bundle, at: Situation) -> Bundle:
    """The incoming authority signs from now on, or a new one where there is none."""
    authority = bundle.incoming.authority if bundle.incoming else new_authority(at.now, at.policy)
    retired = bundle.retired
    if bundle.signer:
        retired = (_retire(bundle.signer.certificate, bundle.serving, at), *retired)
    return replace(bundle, signer=authority, incoming=None, retired=retired)


def _retire(certificate: x509.Certificate, serving: Pair | None, at: Situation) -> Retired:
    """Trust an authority until nothing it signed can still be served by any replica."""
    last = at.now + at.policy.leaf_validity
    if serving:
        last = max(last, serving.certificate.not_valid_after_utc)
    return Retired(certificate, min(last, certificate.not_valid_after_utc))
