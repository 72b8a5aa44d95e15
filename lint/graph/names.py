"""From a name to the object that it means: one of the same cluster.

A repository may describe several clusters, with the same names in each. Objects belong together
if one of them applies the others, or if what applies them stands in the same directory.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

from celvet.lint.kustomize.resource import ObjectName
from celvet.lint.model import GroupKind

Key: TypeAlias = tuple[GroupKind, ObjectName]


class NodeNames:
    """The nodes by their names in each cluster."""

    def __init__(self) -> None:
        self._within: dict[tuple[Hashable, Key], list[int]] = {}
        self._roots: dict[Key, list[int]] = {}

    def add(self, node: int, key: Key, cluster: str, *, root: bool) -> None:
        """Make a node known; a `root` is one that nobody applies."""
        self._within.setdefault((cluster, key), []).append(node)
        if root:
            self._roots.setdefault(key, []).append(node)

    def find(self, key: Key, cluster: str) -> int | None:
        """The node that a name means in a cluster; None if there is none, or several.

        Beyond the cluster, only what nobody applies counts: it may be of any cluster.
        """
        found = self._within.get((cluster, key)) or self._roots.get(key, [])
        return found[0] if len(found) == 1 else None
