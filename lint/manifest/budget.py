"""What a file may still hold, counted down as it is read."""

from __future__ import annotations

from dataclasses import dataclass

from celvet.lint.manifest.limits import MAX_ALIASED, MAX_BYTES, MAX_NODES, MAX_VARIABLES


@dataclass(slots=True)
class Budget:
    """One for a file, its documents and the texts inside them; below zero is too much.

    `characters` are those of inner texts, the file's own being counted before.
    """

    nodes: int = MAX_NODES
    aliased: int = MAX_ALIASED
    variables: int = MAX_VARIABLES
    characters: int = MAX_BYTES

    @property
    def spent(self) -> bool:
        """Whether nothing more is to be read; without aliases, more can be."""
        return min(self.nodes, self.variables, self.characters) < 0
