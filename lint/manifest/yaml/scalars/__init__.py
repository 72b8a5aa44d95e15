"""Decodes YAML scalars, code point by code point.

Every place inside an expression depends on this, so the five styles are read exactly as in libyaml
(YAML 1.1), and the result is compared with libyaml's own.
"""

from __future__ import annotations

from celvet.lint.manifest.yaml.scalars.block import decode_block
from celvet.lint.manifest.yaml.scalars.decoding import Decoding
from celvet.lint.manifest.yaml.scalars.flow import decode_double, decode_plain, decode_single

__all__ = ["Decoding", "decode", "decode_double"]


def decode(source: str, style: str, start: int, end: int, expected: str) -> Decoding:
    """Map each code point of a scalar to the source that writes it.

    `start` and `end` bound the scalar in `source`, quotes and block header
    included, anchor and tag not. `expected` is the text the parser gave; a
    block scalar's indentation is found by it. If the result differs from it (a
    bug here; none is known), each code point of the decoding stands for the whole
    scalar: inexact, never wrong.
    """
    if style in ("literal", "folded"):
        decoding = decode_block(source, start, end, expected, folded=style == "folded")
    else:
        decoding = _FLOW[style](source, start, end)
    if decoding.text != expected:
        return Decoding.coarse(expected, start, end)
    return decoding


_FLOW = {"plain": decode_plain, "single": decode_single, "double": decode_double}
