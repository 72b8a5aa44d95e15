"""Messages over the pipe of a lint process: frames of a length and a content.

A request is a byte (whether objects may opt out), the processor time in milliseconds
and the object. A result is JSON, so that a process which hostile input has taken over
can send nothing but findings. A CRD update begins with another byte and gets no
answer: the group and kind in a line of JSON, then the packed CRD.
"""

from __future__ import annotations

import json
import struct

from celvet.lint.model import GroupKind, Severity
from celvet.webhook.lint_result import FindingRecord, LintResult

LENGTH = struct.Struct(">I")
_HEAD = struct.Struct(">BI")
_CRD = b"\2"
_LIMIT_EXCEEDED = b"null"


def frame(content: bytes) -> bytes:
    """A content with its length before it."""
    return LENGTH.pack(len(content)) + content


def request(text: bytes, *, opt_out: bool, seconds: float) -> bytes:
    """A request to lint an object."""
    return frame(_HEAD.pack(opt_out, int(seconds * 1000)) + text)


def read_request(content: bytes) -> tuple[bytes, bool, float]:
    """The object, whether it may opt out, and the seconds of processor time."""
    opt_out, milliseconds = _HEAD.unpack_from(content)
    return content[_HEAD.size :], bool(opt_out), milliseconds / 1000


def crd_update(kind: GroupKind, packed: bytes) -> bytes:
    """The packed CRD of a kind; empty bytes remove the kind."""
    return frame(_CRD + json.dumps([kind.group, kind.kind]).encode() + b"\n" + packed)


def read_crd_update(content: bytes) -> tuple[GroupKind, bytes] | None:
    """The kind and its packed CRD; None if the content is a request."""
    if not content.startswith(_CRD):
        return None
    head, _, packed = content[len(_CRD) :].partition(b"\n")
    return GroupKind(*json.loads(head)), packed


def result(found: LintResult) -> bytes:
    """The answer to a request."""
    if found.limit_exceeded:
        return frame(_LIMIT_EXCEEDED)
    return frame(json.dumps([found.findings, found.crashes]).encode())


def read_result(content: bytes) -> LintResult:
    """The result in an answer."""
    if content == _LIMIT_EXCEEDED:
        return LintResult(limit_exceeded=True)
    findings, crashes = json.loads(content)
    return LintResult(
        tuple(FindingRecord(rule, Severity(level), *texts) for rule, level, *texts in findings),
        tuple((rule, error) for rule, error in crashes),
    )
