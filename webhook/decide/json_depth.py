"""JSON that is nested deeper than Python reads, which an API server takes to 10,000 levels."""

from __future__ import annotations

from array import array
from hashlib import blake2b
from itertools import accumulate, repeat

_KEPT = 100
_DEEP = 250
"""Levels: of a value that reaches the second, nothing beyond the first is kept.

Far apart, so that there are few such values in a body, whatever it holds.
"""

_STEPS = bytes(
    {ord("["): 1, ord("{"): 1, ord("]"): 255, ord("}"): 255}.get(i, 0) for i in range(256)
)


def without_depths(text: str) -> str:
    """The same JSON with texts in the place of what is too deep.

    Equal values that are written alike become equal texts. Raises `ValueError` if
    brackets do not match. No step is taken in Python but one for each deep value: a
    body has millions of brackets if somebody wants it to.
    """
    body = text.encode()
    levels = _levels(body)
    kept, end = [], 0
    while (found := levels.find(_DEEP, end)) >= 0:
        start = levels.rfind(_KEPT, end, found) + 1
        stop = levels.find(_KEPT, found) + 1
        if not stop:
            raise ValueError("it opens more brackets than it closes")
        kept += [body[end:start], _digest(body[start:stop])]
        end = stop
    return b"".join([*kept, body[end:]]).decode()


def _levels(body: bytes) -> bytes:
    """How deep each byte is, a closing bracket as what comes after it; at most 255."""
    steps = array("b", _without_texts(body).translate(_STEPS))
    try:
        return bytes(map(min, accumulate(steps), repeat(255)))
    except ValueError:
        raise ValueError("it closes more brackets than it opens") from None


def _without_texts(body: bytes) -> bytes:
    parts = body.replace(rb"\\", b"__").replace(rb"\"", b"__").split(b'"')
    parts[1::2] = [b" " * len(each) for each in parts[1::2]]
    return b'"'.join(parts)


def _digest(part: bytes) -> bytes:
    return b'"%s"' % blake2b(part, digest_size=16).hexdigest().encode()
