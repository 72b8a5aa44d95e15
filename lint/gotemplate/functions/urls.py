"""slim-sprig's `urlParse` and `urlJoin` (url.go, v3.0.0; net/url, Go 1.26)."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass

from celvet.lint.go.quoting import from_bytes, quote, to_bytes
from celvet.lint.gotemplate.errors import CallError
from celvet.lint.gotemplate.functions.signature import SLOW, Function, function
from celvet.lint.gotemplate.template_values import Value, kind
from celvet.regex import regex

_UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~"
_KEPT = {
    "path": _UNRESERVED + "$&+/:=@",
    "user": _UNRESERVED + "$&+=",
    "host": _UNRESERVED + "!$&'()*+,;=:[]<>\"",
    "fragment": _UNRESERVED + "$&+/:;=?@,!()*",
}
_KEPT["path"] += ";,"
_KEPT["user"] += ";,"
_USERINFO = regex(r"[A-Za-z0-9\-._:~!$&'()*+,;=%@]*")
_SCHEME = regex(r"([A-Za-z][A-Za-z0-9+.\-]*)?:")
_PORT = regex(r"(:[0-9]*)?", re.ASCII)
_URL_CHAR = regex(r"%([0-9A-Fa-f]{2})?|[^%]", re.DOTALL)
_CONTROL = regex("[\x00-\x1f\x7f]")


class _UrlError(ValueError):
    pass


@dataclass(slots=True)
class _Url:
    scheme: str = ""
    opaque: str = ""
    userinfo: str | None = None
    host: str = ""
    path: str = ""
    query: str = ""
    fragment: str = ""


def _escape(text: str, mode: str) -> str:
    safe_chars = _KEPT[mode]
    return "".join(
        chr(octet) if chr(octet) in safe_chars else f"%{octet:02X}" for octet in to_bytes(text)
    )


def _unescape(text: str, mode: str) -> str:
    def value(match: re.Match[str]) -> str:
        if match[0][0] != "%":
            if mode == "host" and match[0] < "\x80" and match[0] not in _KEPT["host"]:
                raise _UrlError(f"invalid character {quote(match[0])} in host name")
            return match[0]
        if not match[1]:
            bad_escape = from_bytes(to_bytes(text[match.start() :])[:3])
            raise _UrlError(f"invalid URL escape {quote(bad_escape)}")
        if mode == "host" and int(match[1], 16) < 0x80 and match[1] != "25":
            raise _UrlError(f"invalid URL escape {quote(match[0])}")
        return from_bytes(bytes([int(match[1], 16)]))

    return from_bytes(to_bytes(_URL_CHAR.sub(value, text)))


def _host(scheme: str, text: str) -> str:
    bracket = text.rfind("[")
    if bracket > 0:
        raise _UrlError("invalid IP-literal")
    if bracket == 0:
        return _ip_literal(text)
    colon = text.find(":")
    if colon >= 0:
        if scheme not in ("http", "https"):
            colon = text.rfind(":")
        _check_port(text[colon:])
    return _unescape(text, "host")


def _check_port(text: str) -> None:
    if not _PORT.fullmatch(text):
        raise _UrlError(f"invalid port {quote(text)} after host")


def _ip_literal(text: str) -> str:
    close = text.rfind("]")
    if close < 0:
        raise _UrlError("missing ']' in host")
    _check_port(text[close + 1 :])
    address, percent, zone = text[1:close].partition("%25")
    address = _unescape(address, "host")
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        raise _UrlError(f"invalid host: ParseAddr({quote(address)}): unable to parse IP") from None
    zone = _unescape(zone, "path")
    return f"[{address}{'%' if percent else ''}{zone}]{text[close + 1 :]}"


def _authority(url: _Url, text: str) -> None:
    userinfo, at, host = text.rpartition("@")
    url.host = _host(url.scheme, host)
    if not at:
        return
    if not _USERINFO.fullmatch(userinfo):
        raise _UrlError("net/url: invalid userinfo")
    user, colon, password = userinfo.partition(":")
    credentials = _escape(_unescape(user, "user"), "user")
    if colon:
        credentials += ":" + _escape(_unescape(password, "user"), "user")
    url.userinfo = credentials


def _parse_rest(text: str) -> _Url:
    url = _Url()
    if _CONTROL.search(text):
        raise _UrlError("net/url: invalid control character in URL")
    if text == "*":
        url.path = "*"
        return url
    match = _SCHEME.match(text)
    if match and not match[1]:
        raise _UrlError("missing protocol scheme")
    url.scheme, remainder = (match[1].lower(), text[match.end() :]) if match else ("", text)
    remainder, _, url.query = remainder.partition("?")
    if not remainder.startswith("/"):
        # `mailto:someone` has no path: what follows the scheme is opaque.
        if url.scheme:
            url.opaque = remainder
            return url
        # RFC 3986, 4.2: otherwise `a:b/c` could be read as a scheme.
        if ":" in remainder.partition("/")[0]:
            raise _UrlError("first path segment in URL cannot contain colon")
    # Three slashes without a scheme are a path.
    if remainder.startswith("//") and (url.scheme or not remainder.startswith("///")):
        authority, slash, path = remainder[2:].partition("/")
        _authority(url, authority)
        remainder = slash + path
    url.path = _unescape(remainder, "path")
    return url


def _parse(text: str) -> _Url:
    url_text, _, fragment = text.partition("#")
    try:
        url = _parse_rest(url_text)
    except _UrlError as error:
        raise _UrlError(f"parse {quote(url_text)}: {error}") from None
    try:
        url.fragment = _unescape(fragment, "fragment")
    except _UrlError as error:
        raise _UrlError(f"parse {quote(text)}: {error}") from None
    return url


def _hostname(host: str) -> str:
    head, colon, port = host.rpartition(":")
    if colon and _PORT.fullmatch(f":{port}"):
        host = head
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


def _url_parse(text: str) -> dict[str, Value]:
    try:
        url = _parse(text)
    except _UrlError as error:
        raise CallError(f"unable to parse url: {error}") from None
    return {
        "scheme": url.scheme,
        "host": url.host,
        "hostname": _hostname(url.host),
        "path": url.path,
        "query": url.query,
        "opaque": url.opaque,
        "fragment": url.fragment,
        "userinfo": url.userinfo or "",
    }


def _entry(entries: dict[str, Value], key: str) -> str:
    value = entries.get(key, "")
    if value is None:
        raise CallError("runtime error: invalid memory address or nil pointer dereference")
    if not isinstance(value, str):
        actual_kind = kind(value)
        raise CallError(
            f"unable to parse {key} key, must be of type string, but {actual_kind} found"
        )
    return value


def _url_join(entries: dict[str, Value]) -> str:
    parts = {
        key: _entry(entries, key)
        for key in ("scheme", "host", "path", "query", "opaque", "fragment", "userinfo")
    }
    user = None
    if parts["userinfo"]:
        try:
            # slim-sprig parses the user in a URL that it makes up for it, so it is escaped the same
            # way.
            user = _parse(f"proto://{parts['userinfo']}@host").userinfo
        except _UrlError as error:
            raise CallError(f"unable to parse userinfo in dict: {error}") from None
    text = f"{parts['scheme']}:" if parts["scheme"] else ""
    if parts["opaque"]:
        text += parts["opaque"]
    else:
        text += _place(parts, user, text)
    if parts["query"]:
        text += f"?{parts['query']}"
    return text + (f"#{_escape(parts['fragment'], 'fragment')}" if parts["fragment"] else "")


def _place(parts: dict[str, str], user: str | None, before: str) -> str:
    text = ""
    if parts["host"] or user is not None or (parts["scheme"] and parts["path"]):
        text = "//" + (f"{user}@" if user is not None else "") + _escape(parts["host"], "host")
    path = "*" if parts["path"] == "*" else _escape(parts["path"], "path")
    if path and not path.startswith("/") and parts["host"]:
        text += "/"
    if not before and not text and ":" in path.partition("/")[0]:
        text = "./"
    return text + path


URLS: dict[str, Function] = {
    "urlParse": function("string -> map", _url_parse, pace=SLOW),
    "urlJoin": function("map -> string", _url_join, pace=SLOW),
}
