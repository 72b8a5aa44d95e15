"""One kind of object: its names and the JSON Schema of what matters in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from celvet.record import field, record
from celvet.regex import regex

Schema: TypeAlias = Mapping[str, Any]
"""A JSON Schema (2020-12) whose `$ref`s are resolved; `{}` allows anything."""

_VERSION = regex(r"v(\d+)(?:(alpha|beta)(\d+))?")
_STABILITY = {"alpha": 0, "beta": 1, None: 2}


@record(frozen=False)
class TypedField:
    """One field of a Go type, with the fields inside, elements of a list under `[]`."""

    omitempty: bool = False
    duration: bool = False
    struct: bool = False
    default: Any = None
    fields: dict[str, TypedField] = field(default_factory=dict)

    def at(self, steps: Iterable[str]) -> TypedField | None:
        """The field at a path of names, None for one of which nothing is said."""
        found: TypedField | None = self
        for step in steps:
            found = found.fields.get(step) if found else None
        return found


@record
class Unless:
    """Why a controller leaves something out: each path of the object has one of the values.

    `reason` and `help` are words of a message; `{}` is the value at the first path.
    """

    when: Mapping[tuple[str, ...], tuple[Any, ...]]
    reason: str
    help: str


@record(eq=False)
class Kind:
    """A kind whose expressions are known, in all its versions.

    `versions` has the newest first, in Kubernetes' order (v2, v1, v1beta1).
    `scope` is `Namespaced`, `Cluster`, or `None` for a file that never reaches
    an API server and so has an empty `plural`. `refused_by` is who refuses
    what the schema does not allow, `unknown` what becomes of a field that it
    does not know, both in the words of a message. `typed` is the Go type through
    which its controller shows it to expressions, None for one that shows the
    stored object. `waits` is the path of the list of objects that it waits for, empty
    without one; `unwaited` are the reasons not to wait for everything, `passed` those not to wait
    for an object, by its `apiVersion/kind`, `void` those not to use a field, by its path, `clock`
    the terms of `x-clock`, `unrendered` the pattern of the actions of a template that are taken
    literally, by the path below which they are. At least one of `words` stands
    wherever such an object does. Two kinds are equal only if they are the same object.
    """

    system: str
    group: str
    kind: str
    versions: tuple[str, ...]
    plural: str
    scope: str
    documentation: str
    refused_by: str
    unknown: str
    controller: str
    schema: Schema
    typed: TypedField | None = None
    waits: tuple[str, ...] = ()
    unwaited: tuple[Unless, ...] = ()
    passed: Mapping[str, Unless] = field(default_factory=dict)
    void: Mapping[tuple[str, ...], Unless] = field(default_factory=dict)
    clock: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unrendered: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    words: tuple[str, ...] = ()

    @property
    def waited_list(self) -> tuple[str, ...]:
        """The path of the list of objects that it waits for; of no field, without `x-waits`."""
        return self.waits or ("",)

    def __str__(self) -> str:
        """`Kustomization.kustomize.toolkit.fluxcd.io`, as Kubernetes prints it."""
        return f"{self.kind}.{self.group}" if self.group else self.kind


def is_number(value: Any) -> bool:
    """Whether a value is a number in JSON; Python takes true and false for some."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def version_order(version: str) -> tuple[int, int, int, str]:
    """A sort key by which a newer version is greater.

    The order is that of `k8s.io/apimachinery/pkg/version`: stable before beta
    before alpha, then by number; what is no such version comes last.
    """
    match = _VERSION.fullmatch(version)
    if not match:
        return (-1, 0, 0, version)
    major, stability, minor = match.groups()
    return (_STABILITY[stability], int(major), int(minor or 0), version)
