"""The CRDs of a cluster, without descriptions, compressed.

A cluster may have thousands of CRDs, tens of megabytes in all. Most of that is descriptions. An
expression is about one kind, so a CRD is unpacked only when it is needed.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping

from celvet.lint.model import GroupKind, Value
from celvet.lint.values import text_at

MAX_KINDS = 5_000
MAX_ONE = 4 << 20
"""Bytes of one CRD without its descriptions."""

MAX_ALL = 16 << 20
"""Bytes of all of them, packed."""


class CrdStore:
    """The packed CRDs by kind; `version` rises with each change."""

    def __init__(self) -> None:
        self.kinds: Mapping[GroupKind, bytes] = {}
        self.version = 0

    def publish(self, kinds: Mapping[GroupKind, bytes]) -> None:
        """Replace all CRDs; the version stays if they are the same."""
        if kinds != self.kinds:
            self.kinds = kinds
            self.version += 1


class CrdCollection:
    """CRDs by name, as an API server lists them; `left_out` counts those beyond the limits."""

    def __init__(self) -> None:
        self._entries: dict[str, tuple[GroupKind, bytes]] = {}
        self._size = 0
        self.left_out: set[str] = set()

    def put(self, document: Mapping[str, Value]) -> None:
        """Add or replace a CRD."""
        self.remove(document)
        name, kind = text_at(document, ("metadata", "name")), defined_kind(document)
        content = pack(document)
        fits = len(content) <= MAX_ALL - self._size and len(self._entries) < MAX_KINDS
        if content and fits:
            self._entries[name] = (kind, content)
            self._size += len(content)
        else:
            self.left_out.add(name)

    def remove(self, document: Mapping[str, Value]) -> None:
        """Forget a CRD; one that is not here is no mistake."""
        name = text_at(document, ("metadata", "name"))
        self.left_out.discard(name)
        _, content = self._entries.pop(name, (None, b""))
        self._size -= len(content)

    def kinds(self) -> dict[GroupKind, bytes]:
        """The packed CRDs by kind; an API server never serves one kind under two names."""
        return dict(self._entries.values())


def defined_kind(document: Mapping[str, Value]) -> GroupKind:
    """The kind that a CRD defines."""
    kind = text_at(document, ("spec", "names", "kind"))
    return GroupKind(text_at(document, ("spec", "group")), kind)


def pack(document: Mapping[str, Value]) -> bytes:
    """The parts of a CRD that types are read from, compressed; empty if they are too large."""
    head = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
    try:
        # Status and metadata change often and contain no types.
        text = json.dumps({**head, "spec": _without_descriptions(document.get("spec"))}).encode()
    except RecursionError:
        return b""
    return zlib.compress(text) if len(text) <= MAX_ONE else b""


def unpack(content: bytes) -> Value:
    """The CRD of packed bytes."""
    document: Value = json.loads(zlib.decompress(content))
    return document


def _without_descriptions(value: Value) -> Value:
    """A schema without descriptions; that of a field named `description` is a mapping."""
    if isinstance(value, Mapping):
        return {
            key: _without_descriptions(item)
            for key, item in value.items()
            if key != "description" or not isinstance(item, str)
        }
    return [_without_descriptions(item) for item in value] if isinstance(value, list) else value
