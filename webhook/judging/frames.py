"""Messages between the server and a judging process: frames of a length and a content.

Judgements are JSON with types, so that a process which hostile input has taken over can
send nothing but findings.
"""

from __future__ import annotations

import struct

import msgspec

from celvet.lint.model import GroupKind
from celvet.webhook.judgement import Judgement

LENGTH = struct.Struct(">I")
_LIMITS = struct.Struct(">d?")
_REVIEW, _CRD = b"R", b"C"
_decoder = msgspec.json.Decoder(Judgement)


def frame(content: bytes) -> bytes:
    """A content with its length before it."""
    return LENGTH.pack(len(content)) + content


def review(body: bytes, seconds: float, *, complete: bool) -> tuple[bytes, bytes]:
    """A request to judge a review within so many seconds of processor time, in two parts."""
    head = _REVIEW + _LIMITS.pack(seconds, complete)
    return LENGTH.pack(len(head) + len(body)) + head, body


def read_review(content: bytes) -> tuple[bytes, float, bool]:
    """The body of a request, the seconds, and whether the judgement is to be complete."""
    return content[1 + _LIMITS.size :], *_LIMITS.unpack_from(content, 1)


def crd_update(kind: GroupKind, packed: bytes) -> bytes:
    """The packed CRD of a kind, which gets no answer; empty bytes remove the kind."""
    return frame(_CRD + msgspec.json.encode([kind.group, kind.kind]) + b"\n" + packed)


def read_crd_update(content: bytes) -> tuple[GroupKind, bytes] | None:
    """The kind and its packed CRD; None if the content is a request."""
    if not content.startswith(_CRD):
        return None
    head, _, packed = content[1:].partition(b"\n")
    return GroupKind(*msgspec.json.decode(head, type=list[str])), packed


def judgement(found: Judgement) -> bytes:
    """An answer to a request."""
    return frame(msgspec.json.encode(found))


def read_judgement(content: bytes) -> Judgement:
    """The judgement in an answer; raises `msgspec.MsgspecError`."""
    return _decoder.decode(content)
