"""Makes expressions of shapes that no recorded vector has, from the files in `grammars`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from tests.tables import read_table

_GRAMMARS = Path(__file__).with_name("grammars")
_HOLE = re.compile(r"\{([a-z]+)\}")
_PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_NAMES = ("x", "x", "y", "i", "c", "status", "has", "_v", "type")


class Grammar:
    """The shapes of a language, by their placeholder, and its leaves, which have no parts."""

    def __init__(self, language: str, random: Random) -> None:
        table = read_table(_GRAMMARS / f"{language}.yaml")
        self._random = random
        self._first: str = table["first"]
        self._leaves: dict[str, list[str]] = table["leaves"]
        self._shapes: dict[str, list[str]] = table["shapes"]

    def expression(self, value: Any) -> str:
        """An expression about an object, nested up to four levels."""
        fields = [*paths(value)] or ["status"]
        return self._made(self._first, self._random.randint(1, 4), fields, ())

    def _made(self, part: str, depth: int, fields: Sequence[str], names: Sequence[str]) -> str:
        random = self._random
        if random.random() < 0.02:
            part = random.choice([*self._leaves])
        if part == "field" or (part == "bound" and not names):
            return random.choice(fields)
        if part == "bound":
            return random.choice(names)
        if part in self._leaves and (depth <= 0 or part not in self._shapes):
            return random.choice(self._leaves[part])
        within = [*names]

        def filled(hole: re.Match[str]) -> str:
            if hole[1] == "var":
                within.append(random.choice(_NAMES))
                return within[-1]
            return self._made(hole[1], depth - random.choice((1, 1, 2)), fields, within)

        return _HOLE.sub(filled, random.choice(self._shapes[part]))


def paths(value: Any, before: str = "") -> Iterator[str]:
    """The paths of all fields of an object, and of the first elements of its lists."""
    if before:
        yield before
    if isinstance(value, dict):
        for key, part in value.items():
            plain = _PLAIN.fullmatch(key)
            if plain or before:
                step = f".{key}" if plain else f"['{key}']"
                yield from paths(part, (before + step).removeprefix("."))
    elif isinstance(value, list):
        for index, part in enumerate(value[:2]):
            yield from paths(part, f"{before}[{index}]")
