"""The CRDs of the cluster in a judging process."""

from __future__ import annotations

from celvet.lint.crds import CrdSchema, of_definition
from celvet.lint.model import GroupKind
from celvet.webhook.crds.store import unpack

_UNPACKED = 32
"""CRDs that are kept unpacked; the expressions of a cluster are about few kinds."""


class CrdCache:
    """CRDs, each unpacked when an expression needs it.

    A `celvet.lint.crds.Schemas`.
    """

    def __init__(self) -> None:
        self._packed: dict[GroupKind, bytes] = {}
        self._unpacked: dict[GroupKind, CrdSchema | None] = {}

    def update(self, kind: GroupKind, packed: bytes) -> None:
        """Replace the packed CRD of a kind; empty bytes remove it."""
        self._unpacked.pop(kind, None)
        self._packed.pop(kind, None)
        if packed:
            self._packed[kind] = packed

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
        """Always empty: no file is read."""
        return ()
