"""A certificate with its private key."""

from __future__ import annotations

from cryptography import x509

from celvet.certs.errors import UnusableError
from celvet.certs.pki import pem
from celvet.record import field, record


@record
class Pair:
    """A certificate and its private key, the key as PKCS#8 PEM so that pairs compare.

    The key never appears in a `repr`, and therefore never in a log.
    """

    certificate: x509.Certificate
    key: bytes = field(repr=False)

    @classmethod
    def of(cls, certificate: x509.Certificate, key: pem.PrivateKey) -> Pair:
        """Join a certificate and a key; raises `UnusableError` if they do not belong together."""
        if not pem.belongs(key, certificate):
            raise UnusableError("the private key does not belong to the certificate")
        return cls(certificate, pem.write_key(key))

    @classmethod
    def read(cls, certificate: bytes, key: bytes) -> Pair:
        """Join the first certificate and the key of two PEM texts; raises `UnusableError`."""
        return cls.of(pem.read_chain(certificate)[0], pem.read_key(key))

    @property
    def certificate_pem(self) -> bytes:
        """The certificate as PEM."""
        return pem.write_certificate(self.certificate)

    def private_key(self) -> pem.PrivateKey:
        """The key to sign with."""
        return pem.read_key(self.key)
