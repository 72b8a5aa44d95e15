"""The plain scalars that kustomize reads in another way than kubectl.

kustomize reads with go.yaml.in/yaml/v3 (decode.go and resolve.go): the words of YAML 1.1 are texts
there, and a timestamp is written as a time in JSON, `time.Time.MarshalJSON` of Go.
"""

from __future__ import annotations

import re
from datetime import datetime

from celvet.regex import regex

_WORDS = frozenset(
    form
    for word in ("y", "yes", "on", "n", "no", "off")
    for form in (word, word.capitalize(), word.upper())
)
_DATE = r"(\d{4})-(\d{1,2})-(\d{1,2})"
_TIME = r"(\d{1,2}):(\d{1,2}):(\d{1,2})([.,]\d{1,9})?"
_TIMESTAMP = regex(rf"{_DATE}(?:[Tt]{_TIME}(Z|[-+](?:[01]\d|2[0-3]):[0-5]\d)| {_TIME})?", re.ASCII)
_MAY_DIFFER = regex(
    r"[:\[,{?-]\s*(?:[&!]\S*\s+)*"
    r"(?:(?:[yYnN]|[yY]es|YES|[oO]n|ON|[nN]o|NO|[oO]ff|OFF)\s*(?:[\n\r,\]}#]|\Z)|\d{4}-\d)"
)


def may_differ(text: str) -> bool:
    """Whether a document may hold a scalar that kustomize reads in another way."""
    return _MAY_DIFFER.search(text) is not None


def kustomize_text(text: str) -> str | None:
    """The text that kustomize makes of a plain scalar; None if it reads what kubectl reads."""
    if text in _WORDS:
        return text
    timestamp = _TIMESTAMP.fullmatch(text)
    return _time(timestamp) if timestamp else None


def _time(timestamp: re.Match[str]) -> str | None:
    """A timestamp as RFC 3339 writes it; None for one that does not exist, which stays a text."""
    parts = timestamp.groups()
    hour, minute, second, fraction = parts[3:7] if parts[3] else parts[8:12]
    year, month, day = map(int, parts[:3])
    try:
        moment = datetime(year, month, day, int(hour or 0), int(minute or 0), int(second or 0))
    except ValueError:
        return None
    digits = (fraction or "").replace(",", ".").rstrip("0").rstrip(".")
    return f"{moment.isoformat()}{digits}{_zone(parts[7] or 'Z')}"


def _zone(zone: str) -> str:
    return "Z" if zone in ("+00:00", "-00:00") else zone
