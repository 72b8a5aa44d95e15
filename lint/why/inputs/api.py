"""What a reader of a cluster asks an API server for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, TypeAlias

from celvet.lint.model import GroupKind
from celvet.record import record

JsonObject: TypeAlias = dict[str, Any]


class ClusterError(Exception):
    """The API server does not answer or fails; the message says what was tried."""


class ForbiddenError(ClusterError):
    """The right to read something is missing."""


class UnservedError(ClusterError):
    """The API server does not have the kind."""


@record
class Resource:
    """A kind as the API server serves it."""

    group: str
    version: str
    kind: str
    plural: str
    namespaced: bool = True

    @property
    def api_version(self) -> str:
        """`group/version`."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def group_kind(self) -> GroupKind:
        """The kind, without the version."""
        return GroupKind(self.group, self.kind)


class Api(Protocol):
    """Reads objects; each call may raise `ClusterError`."""

    def list(
        self, resource: Resource, namespace: str = "", labels: Mapping[str, str] | None = None
    ) -> Iterator[JsonObject]:
        """The objects of a kind, in pages; in all namespaces without one."""

    def get(self, resource: Resource, namespace: str, name: str) -> JsonObject | None:
        """An object, None if it does not exist."""

    def groups(self) -> frozenset[str]:
        """The groups that the API server has; none if it does not tell."""
