"""Issues, renews and publishes the certificates in a store, one step at a time."""

from __future__ import annotations

import logging

from celvet.certs.clock import Clock
from celvet.certs.pki.bundle import Bundle, Renewal
from celvet.certs.pki.names import Names
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.rotation.renewal import announce, begin_rotation, reissue, renew
from celvet.certs.stores.store import Publisher, Store, read_bundle, update

_log = logging.getLogger(__name__)


class Issuer:
    """Creates, repairs, renews and rotates certificates for some names, by a policy.

    Any number of issuers may share a store. Without a `publisher`, clients read the store itself,
    through cert-manager's injector.
    """

    def __init__(
        self,
        store: Store,
        names: Names,
        policy: RenewalPolicy,
        *,
        publisher: Publisher | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._store = store
        self._names = names
        self._policy = policy
        self._publisher = publisher
        self._clock = clock or Clock()

    async def renew(self) -> Renewal:
        """Take the steps that are due in the store; raises `StoreError`, `UnusableError`."""
        renewal = await update(self._store, self._take_due_steps, self._clock)
        for reason in renewal.reasons:
            _log.info("certificates in %s: %s", self._store.place, reason)
        return renewal

    async def rotate(self, *, authority: bool) -> Renewal:
        """Replace the serving certificate before it is due, or start to replace the authority.

        Raises as `renew` does.
        """

        def rotate_after_renewal(bundle: Bundle) -> Renewal:
            renewal = self._take_due_steps(bundle)
            now = self._clock.now()
            if authority:
                rotation = begin_rotation(renewal.bundle, now, self._policy)
            else:
                rotation = reissue(renewal.bundle, now, self._policy, self._names)
            return Renewal(rotation.bundle, renewal.reasons + rotation.reasons)

        return await update(self._store, rotate_after_renewal, self._clock)

    async def fetch(self) -> tuple[bytes, bytes]:
        """The serving certificate and its key as PEM, after taking the steps that are due."""
        serving = (await self.renew()).bundle.serving
        if serving is None:
            raise AssertionError("a renewed bundle has a serving pair")
        return serving.certificate_pem, serving.key

    async def publish(self) -> None:
        """Publish the stored authorities, and record when the next one was first published.

        If something had overwritten them, that time starts again. Raises `StoreError`.
        """
        has_repairs = False
        if self._publisher:
            publication = await self._publisher.publish(self._store)
            bundle, has_repairs = publication.bundle, publication.repaired
        else:
            bundle, _ = await read_bundle(self._store)
        incoming = bundle.incoming
        if incoming is None or (incoming.announced and not has_repairs):
            return

        def announce_same(bundle: Bundle) -> Renewal:
            # Another replica may have replaced the next authority since the publication.
            if bundle.incoming is None or bundle.incoming.authority != incoming.authority:
                return Renewal(bundle)
            return Renewal(announce(bundle, self._clock.now(), anew=has_repairs))

        await update(self._store, announce_same, self._clock)

    def _take_due_steps(self, bundle: Bundle) -> Renewal:
        return renew(bundle, self._clock.now(), self._policy, self._names)
