"""Names of Kubernetes objects on the command line."""

from __future__ import annotations

import re
from typing import NamedTuple

from celvet.regex import regex

_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(?:\.{_LABEL})*"
_SHORT = r"(?=.{1,253}\Z)"
_REFERENCE = regex(rf"({_LABEL})/{_SHORT}({_SUBDOMAIN})", re.ASCII)
_SERVICE = regex(_LABEL, re.ASCII)
_NAME = regex(_SHORT + _SUBDOMAIN, re.ASCII)
_API_VERSION = regex(rf"{_SHORT}(?:{_SUBDOMAIN}/)?[a-z0-9]+", re.ASCII)


class ResourceName(NamedTuple):
    """An object in a namespace; `resource` is its kind as URLs have it."""

    api_version: str
    kind: str
    resource: str
    namespace: str
    name: str

    @property
    def valid(self) -> bool:
        """Whether an API server may have such an object: each part is safe in a URL."""
        labels = all(map(_SERVICE.fullmatch, (self.resource, self.namespace)))
        return bool(
            labels and _NAME.fullmatch(self.name) and _API_VERSION.fullmatch(self.api_version)
        )


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


def check_name(text: str) -> None:
    """Raise `ValueError` for a name that no object can have."""
    if not _NAME.fullmatch(text):
        raise ValueError(f"`{text}` is not the name of an object")
