"""What a dependency is called, and what of it an expression may see.

Mirrors flux-operator v0.59.0 (`internal/controller/resourceset_controller.go`).
"""

from __future__ import annotations

from celvet.lint.controllers.unstructured import kind_of, text_or
from celvet.lint.model import GroupKind, Value
from celvet.record import record

_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
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
        """From an entry; what is no text is empty."""
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
    def not_found(self) -> str:
        """What the API server says where there is no such object; the plural is guessed."""
        word = self.kind.lower()
        if word.endswith(_HISSING):
            word += "es"
        else:
            word = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
        resource = ".".join(filter(None, (word, self.group_kind.group)))
        return f'{resource} "{self.name}" not found'


def visible(obj: Value, *, hidden_data: bool) -> dict[str, Value]:
    """The object without what kubectl applied last and, if asked for, the data of a Secret."""
    if not isinstance(obj, dict):
        return {}
    secret = obj.get("apiVersion") == "v1" and kind_of(obj) == GroupKind("", "Secret")
    shown = {key: obj[key] for key in obj if not (secret and hidden_data and key == "data")}
    metadata = obj.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    if isinstance(annotations, dict) and _LAST_APPLIED in annotations:
        kept = {key: annotations[key] for key in annotations if key != _LAST_APPLIED}
        shown["metadata"] = {**obj["metadata"], "annotations": kept}
    return shown
