"""Keeps the certificate of a running server up to date."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Protocol

from celvet.certs.clock import Clock
from celvet.certs.errors import StoreError, UnusableError
from celvet.certs.pki.verification import stamp, untimely
from celvet.certs.serving.tls import ClientAuthorityError, LiveTLS
from celvet.certs.small_file import read_small

_log = logging.getLogger(__name__)

_FIRST_PAUSE = 1.0


class NothingToServeError(Exception):
    """There is no certificate to start with; the message is for the user."""


class CertificateSource(Protocol):
    """The source of the serving pair: an `Issuer` or a `MountedCertificate`."""

    async def fetch(self) -> tuple[bytes, bytes]:
        """The certificate chain and its key, PEM; raises `StoreError`, `UnusableError`."""
        ...

    async def publish(self) -> None:
        """Publish the authorities that clients must trust; raises `StoreError`."""
        ...


class MountedCertificate:
    """Files that cert-manager, the kubelet or an administrator writes.

    They are read each time: file events of mounted Secrets are unreliable. While the kubelet swaps
    them, certificate and key may come from two versions. Loading refuses that pair, and the next
    read finds both new.
    """

    def __init__(self, certificate: Path, key: Path) -> None:
        self._certificate = certificate
        self._key = key

    async def fetch(self) -> tuple[bytes, bytes]:
        """The chain and the key as they are now; raises `StoreError`."""
        return await asyncio.to_thread(lambda: (_read(self._certificate), _read(self._key)))

    async def publish(self) -> None:
        """Nothing to do: whoever writes the files publishes the authorities."""


class Keeper:
    """Loads the serving pair from a source, and again every `interval` seconds.

    After a failure it tries again sooner, with pauses that grow up to the interval; the loaded
    pair stays in service. `ready`, `not_after` and `problem` (the last failure, None after a
    success) are for metrics and readiness. `stepped` is called after each check of the source,
    with its success. `place` names the source in messages about a bad pair.
    """

    def __init__(  # noqa: PLR0913 - most of them named
        self,
        source: CertificateSource,
        tls: LiveTLS,
        *,
        interval: float = 60.0,
        clock: Clock | None = None,
        place: str = "",
        stepped: Callable[[bool], None] = lambda _: None,
    ) -> None:
        self._source = source
        self._tls = tls
        self._interval = interval
        self._clock = clock or Clock()
        self._place = f"{place}: " if place else ""
        self._on_step = stepped
        self.problem: str | None = None

    @property
    def not_after(self) -> datetime | None:
        """When the served certificate expires; None before the first was loaded."""
        certificate = self._tls.certificate
        return certificate.not_valid_after_utc if certificate else None

    @property
    def ready(self) -> bool:
        """Whether the served certificate is valid now; False if there is none."""
        certificate = self._tls.certificate
        return certificate is not None and untimely(certificate, self._clock.now()) is None

    async def start(self, patience: float = 60.0) -> None:
        """Return as soon as a valid certificate is served.

        Raises `NothingToServeError` after `patience` seconds without one.
        """
        seconds_waited = 0.0
        for pause in self._clock.pauses(_FIRST_PAUSE, self._interval):
            await self.step()
            if self.ready:
                return
            if seconds_waited + pause > patience:
                raise NothingToServeError(f"no certificate to serve: {self._why_not_ready()}")
            if not seconds_waited:
                reason = self._why_not_ready()
                _log.warning("no certificate to serve, waiting up to %g s: %s", patience, reason)
            seconds_waited += pause
            await self._clock.sleep(pause)

    async def run(self) -> None:
        """Keep the certificate up to date until cancelled."""
        pauses = self._clock.pauses(_FIRST_PAUSE, self._interval)
        while True:
            if self.problem is None:
                pauses = self._clock.pauses(_FIRST_PAUSE, self._interval)
                await self._clock.sleep(self._interval * (0.9 + self._clock.chance() / 5))
            else:
                await self._clock.sleep(next(pauses))
            await self.step()

    async def step(self) -> None:
        """Load what is new and publish, once; a failure sets `problem` and is not raised."""
        try:
            await self._load()
            await self._source.publish()
        except (StoreError, UnusableError) as error:
            self._fail(str(error))
        except Exception as error:
            # A bug here must not stop the server: it has a certificate.
            _log.exception("renewing the certificates failed")
            self._fail(f"internal error: {type(error).__name__}: {error}")
        else:
            self.problem = None
        self._on_step(self.problem is None)

    async def _load(self) -> None:
        """Load the pair; one that is not valid now never replaces one that is."""
        pair = await self._source.fetch()
        try:
            new = self._tls.load(*pair, self._clock.now() if self.ready else None)
        except ClientAuthorityError:
            raise
        except UnusableError as error:
            raise UnusableError(f"{self._place}{error}") from error
        if new:
            _log.info("serving a new certificate until %s", self._end())

    def _fail(self, problem: str) -> None:
        if problem != self.problem:
            _log.error("%s", problem)
        self.problem = problem

    def _end(self) -> str:
        return stamp(self.not_after) if self.not_after else "unknown"

    def _why_not_ready(self) -> str:
        certificate = self._tls.certificate
        if self.problem is None and certificate:
            reason = untimely(certificate, self._clock.now())
            return f"{self._place}the one there cannot be used: {reason}"
        return self.problem or "unknown"


def _read(path: Path) -> bytes:
    try:
        return read_small(path)
    except OSError as error:
        raise StoreError(f"cannot read `{path}`: {error.strerror or error}") from error
