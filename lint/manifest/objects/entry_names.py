"""What names the part of an object that a place lies in, so that it is found again elsewhere.

The index of a list element says where it stands, not which one it is. An entry
of `healthCheckExprs` is told by the kind that it is about, a dependency by its
name, a probe by both, an inline patch by its target.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.manifest.document import Document, Manifest
from celvet.lint.model import GroupKind, Path, Value, Where

_WORDS = ("namespace", "name", "type", "key")


def entry_at(manifest: Manifest, where: Where) -> str:
    """The names of the mappings around a place, the outermost first; of an object itself, none.

    `Certificate.cert-manager.io`, `flux-system/infra`. The version is left out, as
    it is for the controllers. Empty where nothing on the way has a name.
    """
    document = manifest.document(where.document)
    return " ".join(_names(document, where)) if document else ""


def _names(document: Document, where: Where) -> Iterator[str]:
    yield from filter(None, map(_name, _around(document.value, where.path)))
    inner = document.inner.get(where.path)
    if inner and where.inner and (name := entry_at(inner, where.inner)):
        yield name


def _around(value: Value, path: Path) -> Iterator[Mapping[str, Value]]:
    """The mappings on the way, without that at the root."""
    for step in path:
        if isinstance(value, Mapping):
            value = value.get(str(step))
        elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
            value = value[step]
        else:
            return
        if isinstance(value, Mapping):
            yield value


def _name(value: Mapping[str, Value]) -> str:
    """The name that a mapping has itself; else that of its target."""
    target = value.get("target")
    return _own_name(value) or (_own_name(target) if isinstance(target, Mapping) else "")


def _own_name(value: Mapping[str, Value]) -> str:
    """`Kind.group namespace/name`, as far as there is one."""
    group = GroupKind.of(_text(value, "apiVersion"), "").group or _text(value, "group")
    words = "/".join(filter(None, (_text(value, word) for word in _WORDS)))
    return f"{GroupKind(group, _text(value, 'kind'))} {words}".strip()


def _text(value: Mapping[str, Value], name: str) -> str:
    text = value.get(name)
    return text if isinstance(text, str) else ""
