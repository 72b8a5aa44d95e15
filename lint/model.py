"""The words the whole engine speaks: severities, places, objects and findings.

Everything here is frozen and knows no file, no YAML and no output. A place
(`Where`) is symbolic: document, path and a span inside the decoded text. Only
`lint.locate` turns it into a line and a column, since the webhook has an
object and no source, and an editor counts in UTF-16.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Keys and indices from the root of a document to a value."""

Value: TypeAlias = Any
"""What JSON can hold: None, bool, int, float, str, list, dict with str keys."""


class Severity(enum.IntEnum):
    """How bad a finding is; ordered, so that thresholds compare.

    `ERROR` is kept for what the controller refuses outright or what cannot
    answer on any object. What runs and misleads is a `WARNING`, advice is
    `INFO`.
    """

    INFO = 1
    WARNING = 2
    ERROR = 3

    def __str__(self) -> str:
        """The lower-case name, as reports and options spell it."""
        return self.name.lower()


class Span(NamedTuple):
    """Half-open range of code points inside a decoded text, from 0."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Where:
    """A symbolic place in a file of manifests.

    `document` counts from 1. `span` lies inside the decoded scalar at `path`;
    without it the whole value is meant, or its key with `on_key`. Where the
    scalar is itself a text of manifests (an inline kustomize patch), `inner`
    is the place within that text and `span` is None.
    """

    document: int = 1
    path: Path = ()
    span: Span | None = None
    on_key: bool = False
    inner: Where | None = None


@dataclass(frozen=True, slots=True)
class GroupKind:
    """What identifies a kind to the controllers: the API group and the kind."""

    group: str
    kind: str

    @classmethod
    def of(cls, api_version: str, kind: str) -> GroupKind:
        """From `apiVersion` and `kind`; the core group is the empty string."""
        group, slash, _ = api_version.partition("/")
        return cls(group if slash else "", kind)

    def __str__(self) -> str:
        """`Certificate.cert-manager.io`, as Kubernetes prints it."""
        return f"{self.kind}.{self.group}" if self.group else self.kind


@dataclass(frozen=True, slots=True)
class ObjectRef:
    """The object a finding is about, by its own metadata; absent parts are empty."""

    api_version: str = ""
    kind: str = ""
    namespace: str = ""
    name: str = ""

    @property
    def group_kind(self) -> GroupKind:
        """The group and kind."""
        return GroupKind.of(self.api_version, self.kind)
