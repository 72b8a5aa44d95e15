"""The basic types of the engine: severities, places, objects and findings.

Everything here is frozen and independent of files, YAML and output. A place
(`Where`) is symbolic: document, path and a span inside the decoded text. Only
`celvet.lint.locate` turns it into a line and a column: the webhook has an object
without a source, and an editor counts in UTF-16.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from celvet.lint.causes import Cause
from celvet.record import record
from celvet.regex import regex

Path: TypeAlias = tuple[str | int, ...]
"""Keys and indices from the root of a document to a value."""

Value: TypeAlias = Any
"""A JSON value: None, bool, int, float, str, list, dict with str keys."""


_PLAIN_KEY = regex(r"[A-Za-z_][A-Za-z0-9_-]*")


class Severity(enum.IntEnum):
    """The severity of a finding; ordered, so that it can be compared with a threshold.

    `ERROR`: the controller refuses the expression, or it fails for every object. `WARNING`: it
    runs but misleads. `INFO`: advice.
    """

    INFO = 1
    WARNING = 2
    ERROR = 3

    def __str__(self) -> str:
        """The lower-case name, as reports and options spell it."""
        return self.name.lower()


class Confidence(enum.IntEnum):
    """How sure it is that a proved behaviour is a mistake.

    `HIGH`: nobody wants it. `MEDIUM`: the author may have intended it. `LOW`: the author may have
    intended it, and no object need pass through the state; only `explain` shows it. `NONE`: it may
    be so; nobody is told, but nothing is said that would then be wrong.
    """

    NONE = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3


class Span(NamedTuple):
    """A half-open range of code points inside a decoded text, from 0."""

    start: int
    end: int


@record
class Where:
    """A symbolic place in a file of manifests.

    `document` counts from 1. `span` lies inside the decoded scalar at `path`; without it the place
    is the whole value, or with `on_key` its key. If the scalar is itself a text of manifests (an
    inline kustomize patch), `inner` is the place within that text and `span` is None. `source` is
    a span of the file's text, for comments and broken YAML, which have no path.
    """

    document: int = 1
    path: Path = ()
    span: Span | None = None
    on_key: bool = False
    inner: Where | None = None
    source: Span | None = None


class GroupKind(NamedTuple):
    """The identity of a kind for the controllers: API group and kind."""

    group: str
    kind: str

    @classmethod
    @lru_cache(maxsize=4096)  # the objects of a cluster are of a few kinds
    def of(cls, api_version: str, kind: str) -> GroupKind:
        """The group and kind in `apiVersion` and `kind`; the core group is the empty string.

        A version with more than one slash also has the empty group (`FromAPIVersionAndKind` of
        apimachinery v0.34).
        """
        return cls(api_version.partition("/")[0] if api_version.count("/") == 1 else "", kind)

    def __str__(self) -> str:
        """`Certificate.cert-manager.io`, as Kubernetes prints it."""
        return f"{self.kind}.{self.group}" if self.group else self.kind


@record
class ObjectRef:
    """The object a finding is about, by its own metadata; absent parts are empty."""

    api_version: str = ""
    kind: str = ""
    namespace: str = ""
    name: str = ""

    @property
    def title(self) -> str:
        """Kind and name, as people write them."""
        return f"{self.kind} {self.name}".strip()

    def fields(self) -> dict[str, str]:
        """The parts by their names in a manifest."""
        return {
            "apiVersion": self.api_version,
            "kind": self.kind,
            "namespace": self.namespace,
            "name": self.name,
        }

    @property
    def group_kind(self) -> GroupKind:
        """The group and kind."""
        return GroupKind.of(self.api_version, self.kind)


@record
class Related:
    """A second place that a finding mentions, and why."""

    message: str
    where: Where


@record
class Counterexample:
    """An object that demonstrates a finding.

    `state` names the state of the object, `description` describes it in words that continue "an
    object ...". `verdict` is the controller's verdict, in its own word.
    """

    state: str
    description: str
    object: Value
    verdict: str


@record
class Change:
    """Replaces what is at `where`, a span of a text or a key, by `text`.

    With `entry`, `text` is an entry of a mapping, `key: value`, or an item of a list, inserted
    before the one at `where`. With `remove`, the entry or item at `where` is removed.
    """

    where: Where
    text: str
    entry: bool = False
    remove: bool = False


@record
class Fix:
    """Changes that resolve a finding; `title` is one imperative sentence.

    A `safe` fix does not change what worked.
    """

    title: str
    changes: tuple[Change, ...]
    safe: bool = True

    @property
    def removes_item(self) -> bool:
        """Whether it removes an item of a list, such as an entry."""
        path = self.changes[0].where.path
        return self.changes[0].remove and bool(path) and isinstance(path[-1], int)


@record(kw_only=True)
class Finding:
    """A mistake, or a piece of advice, about one place.

    A rule gives the message, the place, perhaps `help`, and a `severity` if it differs from the
    rule's own. The engine adds the rest: the rule's id, the page that explains it, the object. A
    finding about behaviour has a counterexample. `confidence` and `cause` decide whether it is
    reported beside others. Messages start in lower case, quote the user's text in backquotes and
    have no final period. `help` is one imperative sentence; a
    second one may name the releases of the controller that accept the expression.
    """

    message: str
    where: Where
    help: str = ""
    severity: Severity | None = None
    related: tuple[Related, ...] = ()
    counterexample: Counterexample | None = None
    fix: Fix | None = None
    confidence: Confidence = Confidence.HIGH
    cause: Cause | None = None
    rule: str = ""
    url: str = ""
    object: ObjectRef = ObjectRef()


def field_pattern(path: Iterable[str | int | None]) -> str:
    """The path with `[]` for list elements, as in documentation: `spec.steps[].name`.

    None steps into a list as well.
    """
    text = "".join(f".{step}" if isinstance(step, str) else "[]" for step in path)
    return text.removeprefix(".")


def field_path(path: Path) -> str:
    """The path as Kubernetes writes it: `spec.healthCheckExprs[0].current`.

    A key that is not a plain name is in brackets, as `field.Path.Key` of
    apimachinery prints it: `metadata.annotations[celvet.dev/ignore]`.
    """
    text = ""
    for step in path:
        if isinstance(step, int) or not _PLAIN_KEY.fullmatch(step):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text
