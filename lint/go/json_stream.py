"""Finds the objects of a JSON stream, as `json.Decoder` of Go reads them one after another."""

from __future__ import annotations

import json
from typing import NoReturn

from celvet.regex import regex

_PEEKED = 2_048
_SPACE = regex(r"[ \t\r\n]*")


def _refuse(word: str) -> NoReturn:
    """Refuse `NaN` and the infinities, which are JSON for Python only."""
    raise ValueError(word)


def object_ends(text: str) -> list[int]:
    """The ends of the JSON objects with which a text begins; none for a text that is not JSON.

    Mirrors `NewYAMLOrJSONDecoder` of k8s.io/apimachinery 0.37, with the buffer of kubectl and Flux:
    a text whose first character is a brace may be such a stream.
    """
    ends: list[int] = []
    if text[:_PEEKED].lstrip()[:1] != "{":
        return ends
    # numbers stay texts, since only the ends matter
    decoder = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=_refuse)
    start = len(text) - len(text.lstrip())
    try:
        while text.startswith("{", start):
            _, end = decoder.raw_decode(text, start)
            ends.append(end)
            blank = _SPACE.match(text, end)
            start = blank.end() if blank else end
    except (ValueError, RecursionError):
        pass
    return ends
