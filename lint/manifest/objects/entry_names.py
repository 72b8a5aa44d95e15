"""The names of list entries, which identify an entry independently of its position.

The index of an entry says where it is, not which one it is. An entry of
`healthCheckExprs` is named by the kind it is about, a dependency by its name, a probe by
both, an object by its metadata, an inline patch by its target. Baselines and the webhook
use the same names to find a finding again in another version of an object.
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.manifest.document import Document, Manifest
from celvet.lint.model import GroupKind, Path, Value, Where
from celvet.lint.values import get, group_kind_of, text_at, values_along

_WORDS = ("namespace", "name", "generateName", "type", "key")


def entry_at(manifest: Manifest, where: Where) -> str:
    """The names of the list entries around a place in a file; see `entry_names`.

    For a place in an inline patch, those around the patch come first.
    """
    document = manifest.document(where.document)
    return " ".join(filter(None, _names(document, where))) if document else ""


def entry_names(value: Value, path: Path) -> str:
    """The names of the list entries on a path of a value, the outermost first.

    `Certificate.cert-manager.io`, `flux-system/infra`. The version is left out, since
    controllers identify a kind by its group. Empty if no entry on the path has a name.
    """
    return " ".join(filter(None, map(_name, _entries(value, path))))


def field_without_indices(where: Where) -> str:
    """The path of a place, `spec.healthCheckExprs[].current`; within a patch, both paths."""
    names = ".".join(step if isinstance(step, str) else "[]" for step in where.path)
    inner = where.inner
    return f"{names}:{field_without_indices(inner)}" if inner else names.replace(".[]", "[]")


def _names(document: Document, where: Where) -> Iterator[str]:
    yield entry_names(document.value, where.path)
    inner = document.inner.get(where.path)
    if inner and where.inner:
        yield entry_at(inner, where.inner)


def _entries(value: Value, path: Path) -> Iterator[Value]:
    """The list entries on a path."""
    for step, entry in zip(path, values_along(value, path), strict=False):
        if isinstance(step, int):
            yield entry


def _name(entry: Value) -> str:
    """The entry's own name, with that of its metadata, or else that of its target."""
    names = (_own_name(value) for value in (entry, get(entry, ("metadata",))))
    return " ".join(filter(None, names)) or _own_name(get(entry, ("target",)))


def _own_name(value: Value) -> str:
    """`Kind.group namespace/name`, without the parts that the mapping lacks."""
    kind = group_kind_of(value)
    kind = GroupKind(kind.group or text_at(value, ("group",)), kind.kind)
    words = "/".join(filter(None, (text_at(value, (word,)) for word in _WORDS)))
    return f"{kind} {words}".strip()
