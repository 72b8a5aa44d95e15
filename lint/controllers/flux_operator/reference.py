"""Names a dependency as the operator does.

Mirrors flux-operator v0.59.0 (`internal/controller/resourceset_controller.go`).
"""

from __future__ import annotations

from celvet.lint.model import GroupKind, Value
from celvet.lint.verdicts.unstructured import text_or
from celvet.record import record

_HISSING = ("s", "x", "z", "ch", "sh")


@record
class Reference:
    """An entry of `dependsOn`: the object that it names."""

    api_version: str
    kind: str
    namespace: str
    name: str

    @classmethod
    def of(cls, entry: Value) -> Reference:
        """The reference in an entry; anything but a string is empty."""
        return cls(
            *(text_or("", entry, key) for key in ("apiVersion", "kind", "namespace", "name"))
        )

    @property
    def group_kind(self) -> GroupKind:
        """The group and kind."""
        return GroupKind.of(self.api_version, self.kind)

    @property
    def key(self) -> str:
        """`kind/namespace/name`."""
        return "/".join(part for part in (self.kind, self.namespace, self.name) if part)

    @property
    def text(self) -> str:
        """The key after the version, as the operator's messages have it."""
        return f"{self.api_version}/{self.key}"

    @property
    def not_found_message(self) -> str:
        """The API server's message for a missing object; the plural is guessed."""
        resource = ".".join(filter(None, (guessed_plural(self.kind), self.group_kind.group)))
        return f'{resource} "{self.name}" not found'


def guessed_plural(kind: str) -> str:
    """The plural of a kind by the rule of `UnsafeGuessKindToResource` of apimachinery."""
    word = kind.lower()
    if word.endswith(_HISSING):
        return f"{word}es"
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
