"""What is known of a cluster's own kinds: its CRDs without their prose, packed.

A cluster may have thousands of CRDs with tens of megabytes. Most of that is prose,
and an expression is about one kind: what is kept is packed until somebody asks.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping

from celvet.lint.model import GroupKind, Value
from celvet.lint.values import text_at

MAX_KINDS = 5_000
MAX_ONE = 4 << 20
"""Bytes of one definition without its prose."""

MAX_ALL = 16 << 20
"""Bytes of all of them, packed."""


class Definitions:
    """The packed definitions by kind; `version` rises whenever one of them changes."""

    def __init__(self) -> None:
        self.kinds: Mapping[GroupKind, bytes] = {}
        self.version = 0

    def publish(self, kinds: Mapping[GroupKind, bytes]) -> None:
        """Put these in the place of what was known."""
        if kinds != self.kinds:
            self.kinds = kinds
            self.version += 1


class Collection:
    """CRDs by name, as an API server tells them; `left_out` are those that found no room."""

    def __init__(self) -> None:
        self._entries: dict[str, tuple[GroupKind, bytes]] = {}
        self._size = 0
        self.left_out: set[str] = set()

    def take(self, document: Mapping[str, Value]) -> None:
        """Add a CRD, or put it in the place of the one before."""
        self.drop(document)
        name, kind = text_at(document, ("metadata", "name")), defined(document)
        content = pack(document)
        fits = len(content) <= MAX_ALL - self._size and len(self._entries) < MAX_KINDS
        if content and fits:
            self._entries[name] = (kind, content)
            self._size += len(content)
        else:
            self.left_out.add(name)

    def drop(self, document: Mapping[str, Value]) -> None:
        """Forget a CRD."""
        name = text_at(document, ("metadata", "name"))
        self.left_out.discard(name)
        _, content = self._entries.pop(name, (None, b""))
        self._size -= len(content)

    def kinds(self) -> dict[GroupKind, bytes]:
        """The packed definitions by kind; of two names for one, no API server serves both."""
        return dict(self._entries.values())


def defined(document: Mapping[str, Value]) -> GroupKind:
    """The kind that a CRD defines."""
    kind = text_at(document, ("spec", "names", "kind"))
    return GroupKind(text_at(document, ("spec", "group")), kind)


def pack(document: Mapping[str, Value]) -> bytes:
    """What of a CRD is read for types; empty where it is too large."""
    head = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
    try:
        # Status and metadata change often, and say nothing of types.
        text = json.dumps({**head, "spec": _without_prose(document.get("spec"))}).encode()
    except RecursionError:
        return b""
    return zlib.compress(text) if len(text) <= MAX_ONE else b""


def unpack(content: bytes) -> Value:
    """The CRD again."""
    document: Value = json.loads(zlib.decompress(content))
    return document


def _without_prose(value: Value) -> Value:
    """A schema without its texts for humans; of a field named `description` it is a mapping."""
    if isinstance(value, Mapping):
        return {
            key: _without_prose(each)
            for key, each in value.items()
            if key != "description" or not isinstance(each, str)
        }
    return [_without_prose(each) for each in value] if isinstance(value, list) else value
