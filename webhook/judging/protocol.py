"""What is said over the pipe of a judging process: frames of a length and a content.

A question is a byte (whether objects may opt out), the processor time in milliseconds
and the object. An answer is JSON, so that a judging process which hostile input
has taken over can still say nothing but a judgement. News begin with another byte and
are not answered: the group and kind in a line of JSON, then the packed CRD.
"""

from __future__ import annotations

import json
import struct

from celvet.lint.model import GroupKind, Severity
from celvet.webhook.lint_result import Judgement, Objection

LENGTH = struct.Struct(">I")
_HEAD = struct.Struct(">BI")
_NEWS = b"\2"


_EXHAUSTED = b"null"


def frame(content: bytes) -> bytes:
    """A content with its length before it."""
    return LENGTH.pack(len(content)) + content


def question(text: bytes, *, opt_out: bool, seconds: float) -> bytes:
    """Ask for the judgement of an object."""
    return frame(_HEAD.pack(opt_out, int(seconds * 1000)) + text)


def read_question(content: bytes) -> tuple[bytes, bool, float]:
    """The object, whether it may opt out, and the seconds of processor time."""
    opt_out, milliseconds = _HEAD.unpack_from(content)
    return content[_HEAD.size :], bool(opt_out), milliseconds / 1000


def news(kind: GroupKind, content: bytes) -> bytes:
    """Tell the packed CRD of a kind, or by an empty one that the kind has gone."""
    return frame(_NEWS + json.dumps([kind.group, kind.kind]).encode() + b"\n" + content)


def read_news(content: bytes) -> tuple[GroupKind, bytes] | None:
    """What is told of a kind; None for a question."""
    if not content.startswith(_NEWS):
        return None
    head, _, packed = content[len(_NEWS) :].partition(b"\n")
    return GroupKind(*json.loads(head)), packed


def answer(judgement: Judgement) -> bytes:
    """Tell a judgement."""
    if judgement.exhausted:
        return frame(_EXHAUSTED)
    objections = [
        (each.rule, int(each.severity), each.field, each.message, each.help, each.identity)
        for each in judgement.objections
    ]
    return frame(json.dumps([objections, judgement.crashes]).encode())


def read_answer(content: bytes) -> Judgement:
    """The judgement that was told."""
    if content == _EXHAUSTED:
        return Judgement(exhausted=True)
    objections, crashes = json.loads(content)
    return Judgement(
        tuple(Objection(rule, Severity(severity), *texts) for rule, severity, *texts in objections),
        tuple((rule, error) for rule, error in crashes),
    )
