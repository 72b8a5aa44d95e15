"""One kind of object: its names and the JSON Schema of what matters in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from celvet.record import field, record, replace
from celvet.regex import regex

Schema: TypeAlias = Mapping[str, Any]
"""A JSON Schema (2020-12) whose `$ref`s are resolved; `{}` allows anything."""

_VERSION = regex(r"v(\d+)(?:(alpha|beta)(\d+))?")
_STABILITY = {"alpha": 0, "beta": 1, None: 2}


@record(frozen=False)
class TypedField:
    """One field of a Go type, with the fields inside, elements of a list or map under `[]`."""

    omitempty: bool = False
    duration: bool = False
    struct: bool = False
    null: bool = False
    default: Any = None
    fields: dict[str, TypedField] = field(default_factory=dict)

    def at(self, steps: Iterable[str]) -> TypedField | None:
        """The field at a path of names, None if it is not described."""
        typed_field: TypedField | None = self
        for step in steps:
            typed_field = typed_field.fields.get(step) if typed_field else None
        return typed_field

    def with_default(self, steps: Sequence[str], default: Any) -> TypedField:
        """The type with another default of the field at a path of names."""
        if not steps:
            return replace(self, default=default)
        inner = self.fields.get(steps[0], TypedField()).with_default(steps[1:], default)
        return replace(self, fields={**self.fields, steps[0]: inner})


@record
class EarlierDefaults:
    """The API server's defaults `before` a release of a product (`target`), by path."""

    target: str
    before: str
    defaults: Mapping[tuple[str, ...], Any]


@record
class Unless:
    """When a controller leaves something out: each path of the object has one of the values.

    `reason` and `help` are words of a message; `{}` is the value at the first path.
    """

    when: Mapping[tuple[str, ...], tuple[Any, ...]]
    reason: str
    help: str


@record(eq=False)
class Kind:
    """A kind whose expressions are known, in all its versions.

    `versions` has the newest first, in Kubernetes' order (v2, v1, v1beta1). `scope` is
    `Namespaced`, `Cluster`, or `None` for a file that never reaches an API server and so has an
    empty `plural`. `refused_by` names who refuses an object that violates the schema, `unknown`
    says what happens to an unknown field, both in the words of a message. `go_type` is the Go type
    through which the controller shows the object to expressions, None if it shows the stored
    object; `earlier_defaults` has the defaults of older releases. `waits` is the path of the list
    of objects that it waits for, empty without one. `wait_exceptions` are the reasons not to wait
    for everything; `kind_exceptions` the reasons not to wait for an object, by its
    `apiVersion/kind`; `unused_fields` the reasons to ignore a field, by its path. `clock` has the
    terms of `x-clock`, `queue` the workers of the controller and when it looks again at a
    dependency. `literal_templates` has the pattern of template actions that are taken
    literally, by the path of the fields with them. With `annotations` it stands for the objects of
    any kind that have the first of these, unless their own kind is known, or the second is true.
    Every text with such an object contains at least one of `words`. Two kinds are equal only if
    they are the same object.
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
    go_type: TypedField | None = None
    earlier_defaults: EarlierDefaults | None = None
    waits: tuple[str, ...] = ()
    wait_exceptions: tuple[Unless, ...] = ()
    kind_exceptions: Mapping[str, Unless] = field(default_factory=dict)
    unused_fields: Mapping[tuple[str, ...], Unless] = field(default_factory=dict)
    clock: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    queue: tuple[int, str] | None = None
    literal_templates: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    annotations: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def waited_list(self) -> tuple[str, ...]:
        """The path of the list of objects that it waits for; without `x-waits` an unused path."""
        return self.waits or ("",)

    def __str__(self) -> str:
        """`Kustomization.kustomize.toolkit.fluxcd.io`, as Kubernetes prints it."""
        return f"{self.kind}.{self.group}" if self.group else self.kind


def is_number(value: Any) -> bool:
    """Whether a value is a number in JSON; in Python, booleans are integers."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def version_order(version: str) -> tuple[int, int, int, str]:
    """A sort key by which a newer version is greater.

    The order is that of `k8s.io/apimachinery/pkg/version`: stable before beta before alpha, then
    by number; any other text comes last.
    """
    match = _VERSION.fullmatch(version)
    if not match:
        return (-1, 0, 0, version)
    major, stability, minor = match.groups()
    return (_STABILITY[stability], int(major), int(minor or 0), version)
