"""Names of Kubernetes objects on the command line."""

from __future__ import annotations

import re

from celvet.regex import regex

_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_REFERENCE = regex(rf"({_LABEL})/(?=.{{1,253}}\Z)({_LABEL}(?:\.{_LABEL})*)", re.ASCII)
_SERVICE = regex(_LABEL, re.ASCII)


def parse_secret(text: str) -> tuple[str, str]:
    """Namespace and name, in the forms that the API server accepts; raises `ValueError`."""
    match = _REFERENCE.fullmatch(text)
    if not match:
        raise ValueError(f"`{text}` is not NS/NAME")
    return match[1], match[2]


def check_service(text: str) -> None:
    """Raise `ValueError` for a name that no Service can have."""
    if not _SERVICE.fullmatch(text):
        raise ValueError(f"`{text}` is not the name of a Service")
