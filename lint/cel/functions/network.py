"""Kubernetes' libraries for URLs, IP addresses and networks.

Mirrors `k8s.io/apiserver/pkg/cel/library` (v0.35.4).
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias
from urllib.parse import parse_qs, quote, urlsplit

from celvet.lint.cel.functions.arguments import require
from celvet.lint.cel.functions.kubernetes import content, holds, tagged
from celvet.lint.go.quoting import quote as go_quote
from celvet.regex import regex

Address: TypeAlias = "ipaddress.IPv4Address | ipaddress.IPv6Address"
Network: TypeAlias = "ipaddress.IPv4Interface | ipaddress.IPv6Interface"

_URL = regex(r"(?:[A-Za-z][A-Za-z0-9+.-]*:|/|\*\Z)[^\x00-\x20\x7f]*")
_BAD_ESCAPE = regex(r"%(?![0-9A-Fa-f]{2})")
_PORT = regex(r"(?:[^\[\]:]*|\[[^\]]*\])(?::\d*)?", re.ASCII)
_PREFIX = regex(r"[^/]+/(?:0|[1-9][0-9]{0,2})", re.ASCII)


def _parse_url(value: str) -> str:
    """A text that `url.ParseRequestURI` accepts: with a scheme, or a path from the root."""
    host = value.partition("://")[2].partition("/")[0].partition("?")[0].rpartition("@")[2]
    if not _URL.fullmatch(value) or _BAD_ESCAPE.search(value.partition("?")[0]):
        raise ValueError(
            f"URL parse error during conversion from string: parse {go_quote(value)}:"
            " invalid URI for request"
        )
    if not _PORT.fullmatch(host):
        raise ValueError(
            f"URL parse error during conversion from string: parse {go_quote(value)}: invalid port"
        )
    return value


def _part(name: str) -> Callable[[Any], str]:
    def part(value: Any) -> str:
        split = urlsplit(content(value, "url"))
        host = split.netloc.rpartition("@")[2]
        hostname, colon, port = host.rpartition(":")
        # The last colon of `[::1]` belongs to the address (`splitHostPort` of net/url).
        if not colon or not (port.isdecimal() or not port) or "]" in port:
            hostname, port = host, ""
        path = quote(split.path, safe="/%:@!$&'()*+,;=-._~")
        return {
            "scheme": split.scheme,
            "host": host,
            "hostname": hostname.removeprefix("[").removesuffix("]"),
            "port": port,
            "path": path,
        }[name]

    return part


def _query(value: Any) -> dict[str, list[str]]:
    return parse_qs(urlsplit(content(value, "url")).query, keep_blank_values=True)


def _parse_ip(value: str) -> Address:
    try:
        address = ipaddress.ip_address(value)
    except ValueError:
        words = "parse error during conversion from string"
        reason = f"ParseAddr({go_quote(value)}): unable to parse IP"
        raise ValueError(f"IP Address {go_quote(value)} {words}: {reason}") from None
    if getattr(address, "scope_id", None):
        raise ValueError(f"IP address {go_quote(value)} with zone value is not allowed")
    if getattr(address, "ipv4_mapped", None):
        raise ValueError(f"IPv4-mapped IPv6 address {go_quote(value)} is not allowed")
    return address


def _parse_cidr(value: str) -> Network:
    words = "network address parse error during conversion from string"
    try:
        network = ipaddress.ip_interface(value if _PREFIX.fullmatch(value) else "")
    except ValueError:
        reason = f"netip.ParsePrefix({go_quote(value)}): no '/'" if "/" not in value else value
        raise ValueError(f"{words}: {words}: {reason}") from None
    if getattr(network, "scope_id", None) or getattr(network, "ipv4_mapped", None):
        raise ValueError(f"{words}: IPv4-mapped IPv6 address {go_quote(value)} is not allowed")
    return network


def _ip(value: Any) -> dict[str, str]:
    """The address in a text, or that of a network."""
    if isinstance(value, dict):
        return tagged("ip", str(_network(value).ip))
    return tagged("ip", str(_parse_ip(require(str, value))))


def _address(value: Any) -> Address:
    return _parse_ip(content(value, "ip"))


def _network(value: Any) -> Network:
    return _parse_cidr(content(value, "cidr"))


def _is(test: Callable[[Address], bool]) -> Callable[[Any], bool]:
    return lambda value: test(_address(value))


def _is_global_unicast(address: Address) -> bool:
    """`netip.Addr.IsGlobalUnicast`, which private addresses are as well."""
    is_broadcast = str(address) == "255.255.255.255"
    special = address.is_unspecified or address.is_loopback or address.is_multicast or is_broadcast
    return not special and not address.is_link_local


def _is_link_local_multicast(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv4Address):
        return address in ipaddress.ip_network("224.0.0.0/24")
    return address.is_multicast and address.packed[1] & 0x0F == 2


def _contains_ip(value: Any, other: Any) -> bool:
    network = _network(value).network
    address = _parse_ip(other) if isinstance(other, str) else _address(other)
    return address in network


def _contains_cidr(value: Any, other: Any) -> bool:
    network = _network(value).network
    inner = (_parse_cidr(other) if isinstance(other, str) else _network(other)).network
    if network.version != inner.version:
        return False
    overlaps: bool = network.overlaps(inner)
    return overlaps and network.prefixlen <= inner.prefixlen


NETWORK_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "url": lambda value: tagged("url", _parse_url(require(str, value))),
    "isURL": holds(_parse_url),
    "getScheme": _part("scheme"),
    "getHost": _part("host"),
    "getHostname": _part("hostname"),
    "getPort": _part("port"),
    "getEscapedPath": _part("path"),
    "getQuery": _query,
    "ip": _ip,
    "isIP": holds(_parse_ip),
    "ip.isCanonical": lambda value: str(_parse_ip(require(str, value))) == str(value),
    "family": lambda value: _address(value).version,
    "isUnspecified": _is(lambda address: address.is_unspecified),
    "isLoopback": _is(lambda address: address.is_loopback),
    "isLinkLocalUnicast": _is(lambda address: address.is_link_local),
    "isLinkLocalMulticast": _is(_is_link_local_multicast),
    "isGlobalUnicast": _is(_is_global_unicast),
    "cidr": lambda value: tagged("cidr", str(_parse_cidr(require(str, value)))),
    "isCIDR": holds(_parse_cidr),
    "containsIP": _contains_ip,
    "containsCIDR": _contains_cidr,
    "prefixLength": lambda value: _network(value).network.prefixlen,
    "masked": lambda value: tagged("cidr", str(_network(value).network)),
}
"""Every function, by name."""
