"""Keeps the certificate of a running server fresh."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Protocol

from celvet.certs.clock import Clock
from celvet.certs.errors import StoreError, UnusableError
from celvet.certs.pki.verification import stamp, untimely
from celvet.certs.serving.tls import ClientAuthorityError, LiveTLS

_log = logging.getLogger(__name__)

_FIRST_PAUSE = 1.0


class NothingToServeError(Exception):
    """No certificate could be had at the start; the message is for the user."""


class Source(Protocol):
    """Where the serving pair comes from: an `Issuer` or a `MountedCertificate`."""

    async def fetch(self) -> tuple[bytes, bytes]:
        """The certificate chain and its key, PEM; raises `StoreError`, `UnusableError`."""
        ...

    async def publish(self) -> None:
        """Tell the clients whom to trust; raises `StoreError`."""
        ...


class Keeper:
    """Loads the serving pair from a source, and looks again every `interval` seconds.

    After a failure it looks again sooner, then ever later up to the interval; what
    was loaded is served on. For metrics and readiness: `ready`, `not_after` and
    `problem`, the last failure, None when all went well. `loaded` is told each new pair, and
    `place` names the source where a pair is at fault.
    """

    def __init__(  # noqa: PLR0913 - most of them named
        self,
        source: Source,
        tls: LiveTLS,
        *,
        interval: float = 60.0,
        clock: Clock | None = None,
        place: str = "",
        loaded: Callable[[bytes, bytes], None] = lambda _certificate, _key: None,
    ) -> None:
        self._source = source
        self._tls = tls
        self._interval = interval
        self._clock = clock or Clock()
        self._place = f"{place}: " if place else ""
        self._told_loaded = loaded
        self._due = False
        self.problem: str | None = None

    @property
    def not_after(self) -> datetime | None:
        """The end of the served certificate; None before the first was loaded."""
        certificate = self._tls.certificate
        return certificate.not_valid_after_utc if certificate else None

    @property
    def ready(self) -> bool:
        """Whether a certificate is served that is valid now."""
        certificate = self._tls.certificate
        return certificate is not None and untimely(certificate, self._clock.now()) is None

    def inherit(self, certificate: bytes, key: bytes) -> None:
        """Serve a pair of before, if it still can be, until the source is looked at."""
        with suppress(UnusableError):
            if self._tls.load(certificate, key, self._clock.now()):
                self._told_loaded(certificate, key)
                self._due = True

    async def start(self, patience: float = 60.0) -> None:
        """Return as soon as a valid certificate is served, at once with an inherited one.

        Raises `NothingToServeError` if none is after `patience` seconds of trying.
        """
        if self.ready:
            return
        waited = 0.0
        for pause in self._clock.pauses(_FIRST_PAUSE, self._interval):
            await self.step()
            if self.ready:
                return
            if waited + pause > patience:
                raise NothingToServeError(f"no certificate to serve: {self._why_not_ready()}")
            waited += pause
            await self._clock.sleep(pause)

    async def run(self) -> None:
        """Keep the certificate fresh until cancelled."""
        pauses = self._clock.pauses(_FIRST_PAUSE, self._interval)
        while True:
            if self._due:
                await self.step()
            if self.problem is None:
                pauses = self._clock.pauses(_FIRST_PAUSE, self._interval)
                await self._clock.sleep(self._interval * (0.9 + self._clock.chance() / 5))
            else:
                await self._clock.sleep(next(pauses))
            await self.step()

    async def step(self) -> None:
        """Look once: load what is new, publish; a failure is told in `problem`, never raised."""
        self._due = False
        try:
            await self._load()
            await self._source.publish()
        except (StoreError, UnusableError) as error:
            self._fail(str(error))
        except Exception as error:
            # A defect here must not take the server down with it: it has a certificate.
            _log.exception("the certificates could not be looked after")
            self._fail(f"internal error: {type(error).__name__}: {error}")
        else:
            self.problem = None

    async def _load(self) -> None:
        """A pair that is out of its time replaces none, unless there is none that is not."""
        pair = await self._source.fetch()
        try:
            new = self._tls.load(*pair, self._clock.now() if self.ready else None)
        except ClientAuthorityError:
            raise
        except UnusableError as error:
            raise UnusableError(f"{self._place}{error}") from error
        if new:
            self._told_loaded(*pair)
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
