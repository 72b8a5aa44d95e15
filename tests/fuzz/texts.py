"""Makes texts for the YAML reader and for Flux's variable substitution."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.conformance.answer import Vector
from tests.fuzz.mutations import changed_text
from tests.tables import read_table

_TABLE = Path(__file__).with_name("texts.yaml")
_MARKER = re.compile(r"^(---|\.\.\.)", re.MULTILINE)


class Texts:
    """Makes texts from a table of parts and from whole manifests; see `Maker`."""

    def __init__(self, random: Random, manifests: list[str]) -> None:
        table = read_table(_TABLE)
        self._random = random
        self._manifests = manifests
        self._scalars: list[str] = table["scalars"]
        self._variables: list[str] = table["variables"]
        self._values: dict[str, str] = table["values"]

    def yaml(self) -> Vector:
        """One document, usually of a few fields with odd scalars."""
        random = self._random
        whole = random.random() < 0.4
        text = random.choice(self._manifests) if whole else "".join(self._fields())
        text = changed_text(random, text, [*self._manifests, *self._scalars])
        # the vectors of whole files also compare the end of a document; an action of a template is
        # an unknown value here, and a map as a key for Go
        return {"mode": "yaml", "expr": _MARKER.sub("-", text).replace("{{", "{ ")}

    def substitution(self) -> Vector:
        """A text with variables, some of which have a value."""
        parts = self._random.choices(self._variables, k=self._random.randint(1, 4))
        text = changed_text(self._random, "".join(parts), self._variables)
        # For the library a NUL, which YAML cannot contain, ends the text; `${A:é` is a known
        # difference.
        plain = re.sub(r"[^\n -~]", "", text)
        return {"mode": "substitution", "expr": plain, "object": self._values}

    def _fields(self) -> Iterator[str]:
        for number in range(self._random.randint(1, 4)):
            yield f"k{number}: {self._random.choice(self._scalars)}\n"
