"""The webhook's certificates at one moment."""

from __future__ import annotations

from datetime import datetime

from cryptography import x509

from celvet.certs.pki import pem
from celvet.certs.pki.pair import Pair
from celvet.record import record


@record
class Incoming:
    """The authority that will sign next: already trusted, but signing nothing yet.

    `announced` is when the published `caBundle` was seen to contain it, None before.
    """

    authority: Pair
    announced: datetime | None = None


@record
class Retired:
    """An authority that no longer signs, trusted until its last certificate has expired."""

    certificate: x509.Certificate
    until: datetime


@record
class Bundle:
    """The serving pair and the authorities around it; by default empty.

    `signer` signs serving certificates now. It is None at the start, and after its key was lost;
    then its certificate is among the retired ones.
    """

    serving: Pair | None = None
    signer: Pair | None = None
    incoming: Incoming | None = None
    retired: tuple[Retired, ...] = ()

    @property
    def trusted(self) -> tuple[x509.Certificate, ...]:
        """All authorities that clients are to trust: signer, incoming, retired."""
        return (
            *((self.signer.certificate,) if self.signer else ()),
            *((self.incoming.authority.certificate,) if self.incoming else ()),
            *(old.certificate for old in self.retired),
        )

    @property
    def ca_bundle(self) -> bytes:
        """The trusted authorities as PEM, as a webhook configuration carries them."""
        return b"".join(map(pem.write_certificate, self.trusted))


@record
class Renewal:
    """A bundle after renewal, with one reason for each change; no reasons if nothing changed."""

    bundle: Bundle
    reasons: tuple[str, ...] = ()
