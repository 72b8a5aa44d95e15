"""Messages between the server and a judging process: each is a length, then the content.

Judgements are JSON of a fixed type, so that a process taken over by hostile input can send only
findings.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

import msgspec

from celvet.lint.model import GroupKind
from celvet.webhook.judgement import Judgement

LENGTH = struct.Struct(">I")
_REVIEW, _CRD = b"R", b"C"
MORE = b"M"
"""The request to complete the judgement of the last review."""

_COPIED = 64 * 1024
"""Bytes of the largest body that is copied: each separate part wakes the reader once more."""

MOST = 16 << 20
"""Bytes of the largest judgement: 50 findings of each rule, with three texts each."""


def frame(content: bytes) -> bytes:
    """A content with its length before it."""
    return LENGTH.pack(len(content)) + content


def review(body: bytes, seconds: float, off: Iterable[str]) -> tuple[bytes, ...]:
    """A request to judge a review in this processor time, without the rules that are `off`.

    It is in parts, so that a large body is not copied.
    """
    head = _REVIEW + msgspec.json.encode([seconds, *off]) + b"\n"
    start = LENGTH.pack(len(head) + len(body)) + head
    return (start, body) if len(body) > _COPIED else (start + body,)


def read_review(content: bytes) -> tuple[bytes, float, list[str]]:
    """The body of a request, its processor time, and the rules that are off."""
    end = content.index(b"\n")
    seconds, *off = msgspec.json.decode(content[1:end])
    return content[end + 1 :], seconds, off


def crd_update(kind: GroupKind, packed: bytes) -> bytes:
    """The packed CRD of a kind, which gets no answer; empty bytes remove the kind."""
    return frame(_CRD + msgspec.json.encode([kind.group, kind.kind]) + b"\n" + packed)


def read_crd_update(content: bytes) -> tuple[GroupKind, bytes] | None:
    """The kind and its packed CRD; None if the content is a request."""
    if not content.startswith(_CRD):
        return None
    head, _, packed = content[1:].partition(b"\n")
    return GroupKind(*msgspec.json.decode(head, type=list[str])), packed


def judgement(result: Judgement) -> bytes:
    """An answer to a request."""
    return frame(msgspec.json.encode(result))


read_judgement = msgspec.json.Decoder(Judgement).decode
"""The judgement in an answer; raises `msgspec.MsgspecError`."""
