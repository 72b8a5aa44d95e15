"""How long certificates live and when they are replaced."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from cryptography import x509

from celvet.certs.errors import UnusableError
from celvet.record import record

_FIRST = datetime(1950, 1, 1, tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)


@record(kw_only=True)
class RenewalPolicy:
    """Durations for issuing and renewal; raises `ValueError` if they contradict each other.

    `leaf_validity` and `authority_validity` count from the moment of issue. `renew_at` is the share
    of its validity after which a certificate is replaced. `propagation` is how long an announced
    authority must have been in the published `caBundle` before anything it signed is served: longer
    than the API servers need to see a change, and than the clocks of replicas differ. `backdate`
    moves the start of validity back, for clients whose clock is behind.
    """

    leaf_validity: timedelta = timedelta(days=90)
    authority_validity: timedelta = timedelta(days=3650)
    renew_at: float = 2 / 3
    propagation: timedelta = timedelta(hours=1)
    backdate: timedelta = timedelta(hours=1)

    def __post_init__(self) -> None:
        if not 0 < self.renew_at < 1:
            raise ValueError("the share of a lifetime after which to renew must be between 0 and 1")
        if self.leaf_validity <= timedelta(0):
            raise ValueError("the validity of a certificate must be positive")
        if self.propagation < timedelta(0) or self.backdate < timedelta(0):
            raise ValueError("durations must not be negative")
        if self._margin(self.authority_validity) <= self.leaf_validity + self.propagation:
            raise ValueError(
                "the authority must outlive its certificates: the last "
                f"{1 - self.renew_at:.0%} of its life must be longer than one of theirs"
            )

    def _margin(self, validity: timedelta) -> timedelta:
        return validity * (1 - self.renew_at)

    def issue_time(self, now: datetime) -> datetime:
        """The time to the second; raises `UnusableError` if no certificate issued then is valid.

        The dates of a certificate begin in 1950 and end with the year 9999 (RFC 5280, 4.1.2.5).
        """
        longest = self.authority_validity + self.propagation + self.backdate
        if not _FIRST + self.backdate <= now <= _LAST - longest:
            raise UnusableError(f"no certificate can be issued on {now:%Y-%m-%d}: set the clock")
        return now.replace(microsecond=0)

    def leaf_due(self, certificate: x509.Certificate) -> datetime:
        """When a serving certificate is to be replaced."""
        return certificate.not_valid_after_utc - self._margin(self.leaf_validity)

    def authority_due(self, certificate: x509.Certificate) -> datetime:
        """When the successor of an authority is to be made."""
        return certificate.not_valid_after_utc - self._margin(self.authority_validity)
