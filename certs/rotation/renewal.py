"""Renewal, rotation and repair of a bundle, as pure functions of the time.

An authority is replaced in three steps, so that the serving certificate verifies against the
present `caBundle` and against the one of a propagation period ago:

1. When the signer is due, an incoming authority joins the `caBundle`.
2. A propagation period after its publication (`announce`), it becomes the signer, a new serving
   certificate is issued, and the old signer is retired.
3. A retired authority leaves the `caBundle` when everything it signed has expired, so
   that even a replica that missed all changes serves something that verifies.

Steps are skipped only if clients would otherwise accept no certificate: the signer has expired or
its key is lost, and the serving certificate is unusable too.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from celvet.certs.pki.authority import new_authority
from celvet.certs.pki.bundle import Bundle, Incoming, Renewal, Retired
from celvet.certs.pki.names import Names
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.pki.signing import RenewalInputs, promote, sign
from celvet.certs.pki.verification import refusal, stamp, untimely
from celvet.record import replace


def renew(bundle: Bundle, now: datetime, policy: RenewalPolicy, names: Names) -> Renewal:
    """Take every step that is due; a second call at the same moment changes nothing.

    The result always has a serving pair, for `names` at least, that verifies against
    its own `ca_bundle`. Raises `UnusableError` if the names do not allow that.
    """
    at = RenewalInputs(now.replace(microsecond=0), policy, names)
    renewal = Renewal(bundle)
    for step in (_drop_expired, _promote_announced, _repair, _renew_leaf, _prepare):
        following = step(renewal.bundle, at)
        renewal = Renewal(following.bundle, renewal.reasons + following.reasons)
    return renewal


def announce(bundle: Bundle, now: datetime, *, anew: bool = False) -> Bundle:
    """Record that the published `caBundle` holds the incoming authority.

    The first announcement counts. With `anew`, this one counts: something had overwritten the
    `caBundle`, which has just been repaired, so propagation starts again.
    """
    incoming = bundle.incoming
    if incoming is None or (incoming.announced and not anew):
        return bundle
    return replace(bundle, incoming=replace(incoming, announced=now.replace(microsecond=0)))


def reissue(bundle: Bundle, now: datetime, policy: RenewalPolicy, names: Names) -> Renewal:
    """Replace the serving certificate before it is due, for example after its key leaked."""
    at = RenewalInputs(now.replace(microsecond=0), policy, names)
    return sign(bundle, at, "on request")


def begin_rotation(bundle: Bundle, now: datetime, policy: RenewalPolicy) -> Renewal:
    """Prepare the next authority before the present one is due; `renew` does the rest."""
    if bundle.incoming:
        return Renewal(bundle)
    return _add_incoming(bundle, now.replace(microsecond=0), policy, "on request")


def _drop_expired(bundle: Bundle, at: RenewalInputs) -> Renewal:
    """Remove authorities that are expired, not yet valid, or no longer needed."""
    signer, incoming = bundle.signer, bundle.incoming
    reasons = list(_untimely_authorities(bundle, at))
    if signer and untimely(signer.certificate, at.now):
        signer = None
    if incoming and untimely(incoming.authority.certificate, at.now):
        incoming = None
    still_trusted = tuple(old for old in bundle.retired if not _is_over(old, at))
    reasons += [
        f"a former authority is no longer trusted: what it signed expired by {stamp(old.until)}"
        for old in bundle.retired
        if old not in still_trusted
    ]
    bundle = replace(bundle, signer=signer, incoming=incoming, retired=still_trusted)
    return Renewal(bundle, tuple(reasons))


def _untimely_authorities(bundle: Bundle, at: RenewalInputs) -> Iterator[str]:
    if bundle.signer and (reason := untimely(bundle.signer.certificate, at.now)):
        yield f"the authority cannot be used: {reason}"
    if bundle.incoming and (reason := untimely(bundle.incoming.authority.certificate, at.now)):
        yield f"the next authority cannot be used: {reason}"


def _is_over(old: Retired, at: RenewalInputs) -> bool:
    return at.now >= min(old.until, old.certificate.not_valid_after_utc)


def _promote_announced(bundle: Bundle, at: RenewalInputs) -> Renewal:
    incoming = bundle.incoming
    if incoming is None or incoming.announced is None:
        return Renewal(bundle)
    if at.now + at.policy.backdate < incoming.announced:
        bundle = replace(bundle, incoming=replace(incoming, announced=None))
        return Renewal(bundle, ("a clock far in the future announced the next authority",))
    if at.now < incoming.announced + at.policy.propagation:
        return Renewal(bundle)
    since = stamp(incoming.announced)
    return sign(promote(bundle, at), at, f"the next authority has been published since {since}")


def _repair(bundle: Bundle, at: RenewalInputs) -> Renewal:
    """Replace a serving certificate that clients do not accept."""
    reason = _fault(bundle, at)
    return sign(bundle, at, reason) if reason else Renewal(bundle)


def _fault(bundle: Bundle, at: RenewalInputs) -> str | None:
    if bundle.serving is None:
        return "there was no usable one"
    certificate = bundle.serving.certificate
    if reason := refusal(certificate, bundle.trusted, at.now):
        return f"the former one cannot be used: {reason}"
    if missing := at.names.missing_in(Names.of_certificate(certificate)):
        return f"the former one is not for `{', '.join(missing)}`"
    return None


def _renew_leaf(bundle: Bundle, at: RenewalInputs) -> Renewal:
    """Replace a serving certificate that is due, if the new one lasts longer."""
    if bundle.serving is None or bundle.signer is None:
        return Renewal(bundle)
    certificate, signer = bundle.serving.certificate, bundle.signer.certificate
    gains = certificate.not_valid_after_utc < signer.not_valid_after_utc
    if not gains or at.now < at.policy.leaf_due(certificate):
        return Renewal(bundle)
    end = stamp(certificate.not_valid_after_utc)
    return sign(bundle, at, f"the former one expires at {end}")


def _prepare(bundle: Bundle, at: RenewalInputs) -> Renewal:
    """Create the next authority when it is due, or because the present one cannot sign."""
    if bundle.incoming:
        return Renewal(bundle)
    if bundle.signer is None:
        return _add_incoming(bundle, at.now, at.policy, "the key of the present one is lost")
    certificate = bundle.signer.certificate
    if at.now < at.policy.authority_due(certificate):
        return Renewal(bundle)
    end = stamp(certificate.not_valid_after_utc)
    return _add_incoming(bundle, at.now, at.policy, f"the present one expires at {end}")


def _add_incoming(bundle: Bundle, now: datetime, policy: RenewalPolicy, why: str) -> Renewal:
    incoming = Incoming(new_authority(now, policy))
    return Renewal(replace(bundle, incoming=incoming), (f"a next authority was made: {why}",))
