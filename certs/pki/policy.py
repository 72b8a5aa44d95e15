"""How long certificates live and when they are replaced."""

from __future__ import annotations

from datetime import datetime, timedelta

from cryptography import x509

from celvet.record import record


@record(kw_only=True)
class RenewalPolicy:
    """Durations for issuing and renewal. An authority must outlive the certificates that it signs.

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

    def leaf_due(self, certificate: x509.Certificate) -> datetime:
        """When a serving certificate is to be replaced."""
        return certificate.not_valid_after_utc - self._margin(self.leaf_validity)

    def authority_due(self, certificate: x509.Certificate) -> datetime:
        """When the successor of an authority is to be made."""
        return certificate.not_valid_after_utc - self._margin(self.authority_validity)

    def _margin(self, validity: timedelta) -> timedelta:
        return validity * (1 - self.renew_at)
