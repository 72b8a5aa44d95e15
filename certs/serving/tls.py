"""The TLS side of a running server, whose certificate changes while it runs."""

from __future__ import annotations

import hashlib
import os
import ssl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from cryptography import x509

from celvet.certs.errors import UnusableError
from celvet.certs.pki import pem
from celvet.certs.pki.verification import untimely
from celvet.certs.small_file import read_small
from celvet.record import record

_CIPHERS = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""For TLS 1.2: forward secret and authenticated only. TLS 1.3 has no others."""


@record
class TLSSettings:
    """The options of TLS that do not depend on the certificate.

    With `client_ca`, a PEM file of authorities, clients must present a certificate that one of
    them signed; the file is read again at each load.
    """

    minimum: ssl.TLSVersion = ssl.TLSVersion.TLSv1_2
    client_ca: Path | None = None


class ClientAuthorityError(UnusableError):
    """The file of client authorities cannot be used."""


class LiveTLS:
    """A TLS context for a server, `context`, whose certificate can be replaced.

    Each certificate gets a context of its own, completely loaded before it counts, and a handshake
    moves to the newest one when the client's hello arrives. Loading into the context in use does
    not work: between certificate and key a handshake finds no key, a pair that does not match
    leaves the context without one, another key type keeps the former certificate in service as
    well, and a handshake in another thread crashes the process (OpenSSL 3.0).
    """

    def __init__(self, settings: TLSSettings | None = None) -> None:
        self._settings = settings or TLSSettings()
        self._loaded: bytes | None = None
        self._current: ssl.SSLContext | None = None
        self.certificate: x509.Certificate | None = None
        self.context = _bare_context(self._settings, self._client_ca())
        self.context.sni_callback = self._choose

    def load(self, certificate: bytes, key: bytes, now: datetime | None = None) -> bool:
        """Serve a PEM chain and its key from the next handshake on; False if they are unchanged.

        Established connections keep theirs. Only a digest of the loaded pair is kept, to compare.
        Raises `UnusableError`, with `now` also for a certificate that is not valid at that time;
        then the former pair stays in service.
        """
        client_ca = self._client_ca()
        digest = _digest(certificate, key, client_ca)
        if digest == self._loaded:
            return False
        leaf = pem.read_chain(certificate)[0]
        if not pem.belongs(pem.read_key(key), leaf):
            raise UnusableError("the private key does not belong to the certificate")
        if now and (reason := untimely(leaf, now)):
            raise UnusableError(f"the certificate cannot be used: {reason}")
        context = _bare_context(self._settings, client_ca)
        _load_pair(context, certificate + b"\n" + key)
        self._current, self.certificate, self._loaded = context, leaf, digest
        return True

    def _client_ca(self) -> bytes:
        path = self._settings.client_ca
        if path is None:
            return b""
        try:
            return read_small(path)
        except OSError as error:
            raise ClientAuthorityError(f"cannot read `{path}`: {error.strerror}") from error

    def _choose(
        self, connection: ssl.SSLObject, _name: str | None, _: ssl.SSLContext
    ) -> int | None:
        """Called by OpenSSL for each client hello, even without a server name."""
        if self._current is None:
            return ssl.ALERT_DESCRIPTION_INTERNAL_ERROR
        connection.context = self._current
        return None


def _bare_context(settings: TLSSettings, client_ca: bytes) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = settings.minimum
    context.set_ciphers(_CIPHERS)
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.set_alpn_protocols(["http/1.1"])
    if settings.client_ca:
        context.verify_mode = ssl.CERT_REQUIRED
        try:
            context.load_verify_locations(cadata=client_ca.decode("ascii"))
        except (ssl.SSLError, ValueError) as error:
            reason = f"`{settings.client_ca}` contains no usable client authority"
            raise ClientAuthorityError(reason) from error
    return context


def _load_pair(context: ssl.SSLContext, content: bytes) -> None:
    try:
        with _as_file(content) as path:
            context.load_cert_chain(path)
    except OSError as error:  # or `ssl.SSLError`, its subclass
        raise UnusableError(f"OpenSSL refuses the certificate ({error})") from error


def _digest(*texts: bytes) -> bytes:
    return hashlib.sha256(b"".join(hashlib.sha256(text).digest() for text in texts)).digest()


@contextmanager
def _as_file(content: bytes) -> Iterator[str]:
    """A path to read the content from, because `ssl` loads only from files.

    In memory if the system supports it, so that keys are never on disk and the file system may be
    read-only; otherwise a private file that is removed at once.
    """
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("celvet", os.MFD_CLOEXEC)
        path = f"/proc/self/fd/{descriptor}"
    else:
        descriptor, path = tempfile.mkstemp()
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            yield path
    finally:
        if not path.startswith("/proc/"):
            Path(path).unlink(missing_ok=True)
