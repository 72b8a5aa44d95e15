"""The CRDs that a judging process was told of, unpacked when an expression is about one."""

from __future__ import annotations

from celvet.lint.crds import CrdSchema, of_definition
from celvet.lint.model import GroupKind
from celvet.webhook.crds.store import unpack

_UNPACKED = 32
"""Kinds that are kept unpacked; the expressions of a cluster are about few."""


class Told:
    """Knows what it was told last of each kind; a `celvet.lint.crds.Schemas`."""

    def __init__(self) -> None:
        self._packed: dict[GroupKind, bytes] = {}
        self._unpacked: dict[GroupKind, CrdSchema | None] = {}

    def learn(self, kind: GroupKind, content: bytes) -> None:
        """Take note of a packed definition, an empty one for a kind that has gone."""
        self._unpacked.pop(kind, None)
        self._packed.pop(kind, None)
        if content:
            self._packed[kind] = content

    def find(self, api_version: str, kind: str) -> CrdSchema | None:
        """The schema of a kind."""
        wanted = GroupKind.of(api_version, kind)
        if wanted not in self._packed:
            return None
        if wanted not in self._unpacked:
            if len(self._unpacked) >= _UNPACKED:
                del self._unpacked[next(iter(self._unpacked))]
            self._unpacked[wanted] = of_definition(unpack(self._packed[wanted]))
        return self._unpacked[wanted]

    @property
    def problems(self) -> tuple[str, ...]:
        """None: nothing is read."""
        return ()
