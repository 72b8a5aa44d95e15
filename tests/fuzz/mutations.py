"""Changes texts and values at random, with parts of other texts and values of the same kind."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

_TOKEN = re.compile(r"""'[^']*'|"[^"]*"|[A-Za-z_]\w*|\d[\w.]*|[&|=!<>]+|\s+|.""", re.DOTALL)
_NOISE = [*"\x00\u2028é😀\\'\"\t-#{]", "${x}", "\r\n", ": "]
_VALUES: list[Any] = [None, True, 0, -1, 2**53, 2**63 - 1, 0.5, "", "x", "2", [], {}, [{}]]
_VALUES += ["True", "False", "Unknown"]


def changed_text(random: Random, text: str, others: Sequence[str]) -> str:
    """The text with one to four tokens changed, removed, doubled or replaced."""
    tokens = _TOKEN.findall(text) or [""]
    for _ in range(random.randint(1, 4)):
        start = random.randrange(len(tokens))
        end = min(start + random.choice((0, 1, 1, 1, 2, 5)), len(tokens))
        tokens[start:end] = _instead(random, tokens[start:end], random.choice(others)) or [""]
    return "".join(tokens)


def _instead(random: Random, tokens: list[str], other: str) -> list[str]:
    match random.randrange(8):
        case 0:
            return []
        case 1:
            return tokens * 2
        case 2:
            return [*tokens, random.choice(_NOISE)]
        case _:
            parts = _TOKEN.findall(other) or [""]
            start = random.randrange(len(parts))
            return parts[start : start + random.choice((1, 1, 1, 3, 7))]


def changed_bytes(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """The file with up to eight places damaged: bytes changed, cut, or taken from another file."""
    damaged = bytearray(data)
    for _ in range(random.randint(1, 8)):
        start = random.randrange(len(damaged) + 1)
        end = min(start + random.choice((0, 1, 1, 8, 64)), len(damaged))
        match random.randrange(4):
            case 0:
                damaged[start:end] = random.randbytes(random.choice((0, 1, 4)))
            case 1:
                damaged[start:end] = random.choice(_NOISE).encode()
            case _:
                other = random.choice(others)
                at = random.randrange(len(other) + 1)
                damaged[start:end] = other[at : at + random.choice((1, 16, 200))]
    return bytes(damaged)


def changed_value(random: Random, value: Any, others: Sequence[Any]) -> Any:
    """The JSON object with one to three values replaced, removed or doubled."""
    value = copy.deepcopy(value)
    for _ in range(random.randint(1, 3)):
        places = [*_places(value)]
        if not places:
            break
        container, key = random.choice(places)
        match random.randrange(5):
            case 0:
                del container[key]
            case 1:
                container[key] = copy.deepcopy(random.choice(_VALUES))
            case 2 if isinstance(container, list):
                container.insert(key, copy.deepcopy(container[key]))
            case _:
                # A value that has the same key elsewhere is the most plausible one.
                elsewhere = [
                    found[at] for found, at in _places(random.choice(others)) if at == key
                ] or _VALUES
                container[key] = copy.deepcopy(random.choice(elsewhere))
    return value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield value, key
            yield from _places(part)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield value, index
            yield from _places(part)
