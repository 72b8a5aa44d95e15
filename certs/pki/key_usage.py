"""What the key of a certificate may be used for."""

from __future__ import annotations

from cryptography import x509

_NOTHING = dict.fromkeys(
    (
        *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment"),
        *("key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only"),
    ),
    False,
)


def key_usage(*allowed: str) -> x509.KeyUsage:
    """The extension that allows only these uses, by their names in `x509.KeyUsage`."""
    return x509.KeyUsage(**_NOTHING | dict.fromkeys(allowed, True))
