"""Names the part of an object around a place, so that a later run finds it again.

The index of a list element says where it stands, not which one it is. An entry
of `healthCheckExprs` is identified by the kind that it is about, a dependency by
its name, a probe by both, an inline patch by its target.
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.manifest.document import Document, Manifest
from celvet.lint.model import GroupKind, Value, Where
from celvet.lint.values import get, group_kind_of, text_at, values_along

_WORDS = ("namespace", "name", "type", "key")


def entry_at(manifest: Manifest, where: Where) -> str:
    """The names of the mappings around a place, the outermost first; of an object itself, none.

    `Certificate.cert-manager.io`, `flux-system/infra`. The version is left out, as
    it is for the controllers. Empty if nothing on the way has a name.
    """
    document = manifest.document(where.document)
    return " ".join(_names(document, where)) if document else ""


def _names(document: Document, where: Where) -> Iterator[str]:
    yield from filter(None, map(_name, values_along(document.value, where.path)))
    inner = document.inner.get(where.path)
    if inner and where.inner and (name := entry_at(inner, where.inner)):
        yield name


def _name(value: Value) -> str:
    """The name that a mapping has itself, else that of its target; empty for anything else."""
    return _own_name(value) or _own_name(get(value, ("target",)))


def _own_name(value: Value) -> str:
    """`Kind.group namespace/name`, without the parts that the mapping lacks."""
    kind = group_kind_of(value)
    kind = GroupKind(kind.group or text_at(value, ("group",)), kind.kind)
    words = "/".join(filter(None, (text_at(value, (word,)) for word in _WORDS)))
    return f"{kind} {words}".strip()
