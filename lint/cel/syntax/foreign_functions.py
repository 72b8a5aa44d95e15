"""Functions that Flux's CEL lacks, and who has them.

Users copy expressions from validation rules of Kubernetes, from the CEL
playground and from newer versions of CEL; a function that is unknown here is
often at home there. Read in `k8s.io/apiserver/pkg/cel/library` of Kubernetes
1.36 and in `ext` of cel-go 0.26.1.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

_HOMES = {
    "Kubernetes' list library": "isSorted sum min max",
    "Kubernetes' regular expression library": "find findAll",
    "Kubernetes' URL library": "url isURL getScheme getHost getHostname getPort getEscapedPath "
    "getQuery",
    "Kubernetes' quantity library": "quantity isQuantity isInteger asInteger asApproximateFloat "
    "sign add sub isLessThan isGreaterThan compareTo",
    "Kubernetes' IP address library": "ip isIP ip.isCanonical family isUnspecified isLoopback "
    "isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast",
    "Kubernetes' CIDR library": "cidr isCIDR containsIP containsCIDR prefixLength masked",
    "Kubernetes' semantic version library": "semver isSemver major minor patch",
    "Kubernetes' format library": "format.named validate format.dns1123Label "
    "format.dns1123Subdomain format.dns1035Label format.qualifiedName format.labelValue "
    "format.dns1123LabelPrefix format.dns1123SubdomainPrefix format.dns1035LabelPrefix "
    "format.uri format.uuid format.byte format.date format.datetime",
    "Kubernetes' authorizer library": "path group resource subresource check allowed reason "
    "errored serviceAccount fieldSelector labelSelector",
    "Kubernetes' JSON patch library": "jsonpatch.escapeKey",
    "CEL's math extension": "math.greatest math.least math.ceil math.floor math.round math.trunc "
    "math.abs math.sign math.sqrt math.isInf math.isNaN math.isFinite math.bitOr math.bitAnd "
    "math.bitXor math.bitNot math.bitShiftLeft math.bitShiftRight",
    "CEL's lists extension": "slice flatten distinct sort sortBy lists.range",
    "CEL's bindings extension": "cel.bind",
    "CEL's regex extension": "regex.replace regex.extract regex.extractAll",
    "CEL's two-variable comprehensions": "transformList transformMap transformMapEntry existsOne",
    "CEL's protos extension": "proto.getExt proto.hasExt",
}
"""Library -> the functions and macros that it alone has."""

_INSTEAD = {
    "write `size(...)`": "len length count",
    "write `.lowerAscii()`": "lower toLower toLowerCase tolower downcase",
    "write `.upperAscii()`": "upper toUpper toUpperCase toupper upcase",
    "write `.trim()`": "strip trimSpace",
    "write `.contains(...)` for a string, `x in list` for a list": "includes include",
    "write `.exists(x, ...)`": "any some anyMatch",
    "write `.all(x, ...)`": "every allMatch forall",
    "write `.exists_one(x, ...)`": "existsOne",
    "write `.matches(...)`": "match regexMatch matchesRegex regex",
    "write `.startsWith(...)`": "hasPrefix",
    "write `.endsWith(...)`": "hasSuffix",
    "write `int(...)`": "parseInt toInt",
    "write `string(...)`": "toString str",
    "write `.?field.orValue(...)`": "default get getOrDefault coalesce",
    "compare with a time in the object: there is no clock": "now today time.now time.Now",
    "write `.filter(x, ...)[0]`": "find first_where",
    "write `has(x.field)`": "hasField exists_field hasKey containsKey",
}
"""What to write -> the names that other languages have for it."""


class Elsewhere(NamedTuple):
    """Who has a function (empty for nobody known) and what to write in its place, if anything."""

    library: str
    instead: str


def look_up(name: str) -> Elsewhere:
    """What is known of a function that the dialect lacks."""
    return Elsewhere(_inverted("homes").get(name, ""), _inverted("instead").get(name, ""))


def known_names() -> frozenset[str]:
    """Every function that some library elsewhere has."""
    return frozenset(_inverted("homes"))


@lru_cache(maxsize=2)
def _inverted(which: str) -> dict[str, str]:
    table = _HOMES if which == "homes" else _INSTEAD
    return {name: value for value, names in table.items() for name in names.split()}
