"""Clients that accept or refuse a certificate, independent of the code under test."""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from datetime import datetime

from cryptography import x509
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError


def verifies(
    leaf: x509.Certificate, trusted: Iterable[x509.Certificate], name: str, now: datetime
) -> bool:
    """Whether a client with these authorities accepts the certificate for a name."""
    roots = list(trusted)
    if not roots:
        return False
    verifier = PolicyBuilder().store(Store(roots)).time(now)
    try:
        verifier.build_server_verifier(x509.DNSName(name)).verify(leaf, [])
    except VerificationError:
        return False
    return True


def client_context(ca_bundle: bytes) -> ssl.SSLContext:
    """A strict client that trusts the bundle and nothing else."""
    context = ssl.create_default_context(cadata=ca_bundle.decode())
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    return context


def handshake(server: ssl.SSLContext, client: ssl.SSLContext, name: str | None) -> x509.Certificate:
    """A handshake in memory; the certificate that the server showed. Raises `ssl.SSLError`."""
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        client.wrap_bio(to_client, to_server, server_hostname=name),
        server.wrap_bio(to_server, to_client, server_side=True),
    ]
    for _ in range(20):
        waiting = [end for end in ends if not _shake(end)]
        if not waiting:
            break
    shown = ends[0].getpeercert(binary_form=True)
    assert shown is not None
    return x509.load_der_x509_certificate(shown)


def _shake(end: ssl.SSLObject) -> bool:
    try:
        end.do_handshake()
    except ssl.SSLWantReadError:
        return False
    return True
