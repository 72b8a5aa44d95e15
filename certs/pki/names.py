"""The names a serving certificate is for: DNS names and IP addresses."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import TypeAlias

from cryptography import x509

from celvet.record import record

IPAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DNS_NAME = re.compile(rf"(?:\*\.)?{_LABEL}(?:\.{_LABEL})*")
_LONGEST_DNS_NAME = 253
_LONGEST_COMMON_NAME = 64
"""RFC 5280, ub-common-name."""


@record
class Names:
    """DNS names (lower case) and IP addresses, each sorted and once.

    Build them with `Names.parse`. A client checks these as subject alternative
    names only: Go's crypto/x509 has not looked at the common name since 1.15.
    """

    dns: tuple[str, ...] = ()
    ips: tuple[IPAddress, ...] = ()

    @classmethod
    def parse(cls, dns: Iterable[str], ips: Iterable[str] = ()) -> Names:
        """Names from texts; raises `ValueError` with a message for the user."""
        names = cls(
            tuple(sorted({_dns_name(name) for name in dns})),
            tuple(sorted({_ip_address(ip) for ip in ips}, key=_ip_order)),
        )
        if not names.dns and not names.ips:
            raise ValueError("a serving certificate needs a DNS name or an IP address")
        return names

    @classmethod
    def of_service(cls, service: str, namespace: str) -> Names:
        """The name by which the API server calls a webhook's Service."""
        return cls.parse([f"{service}.{namespace}.svc"])

    @classmethod
    def of_certificate(cls, certificate: x509.Certificate) -> Names:
        """The names in a certificate; empty if it has no such extension."""
        try:
            san = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        except x509.ExtensionNotFound:
            return cls()
        dns = {name.lower() for name in san.get_values_for_type(x509.DNSName)}
        ips = {ip for ip in san.get_values_for_type(x509.IPAddress) if isinstance(ip, IPAddress)}
        return cls(tuple(sorted(dns)), tuple(sorted(ips, key=_ip_order)))

    @property
    def texts(self) -> tuple[str, ...]:
        """All names as strings, the DNS names first."""
        return (*self.dns, *map(str, self.ips))

    def missing_in(self, other: Names) -> tuple[str, ...]:
        """The names that the other lacks, as strings."""
        present = set(other.texts)
        return tuple(name for name in self.texts if name not in present)

    def general_names(self) -> list[x509.GeneralName]:
        """The entries of the subject alternative name extension."""
        return [*map(x509.DNSName, self.dns), *map(x509.IPAddress, self.ips)]

    def common_name(self) -> str | None:
        """The first DNS name that fits in a subject, for people who read certificates."""
        return next((name for name in self.dns if len(name) <= _LONGEST_COMMON_NAME), None)


def _dns_name(text: str) -> str:
    name = text.lower()
    if len(name) > _LONGEST_DNS_NAME or not _DNS_NAME.fullmatch(name):
        raise ValueError(f"`{text}` is not a DNS name")
    return name


def _ip_address(text: str) -> IPAddress:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        raise ValueError(f"`{text}` is not an IP address") from None
    if isinstance(address, ipaddress.IPv6Address) and address.scope_id is not None:
        raise ValueError(f"`{text}` has a zone, which no certificate can hold")
    return address


def _ip_order(address: IPAddress) -> tuple[int, int]:
    return address.version, int(address)
