"""What kro refuses in a graph before it reads an expression: names, and fields that exclude others.

Mirrors `pkg/graph/validation.go` of kro (0302e659).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.controllers.kro.graph import GraphRefusal, ResourceNode
from celvet.lint.model import Path, Value
from celvet.lint.values import get, list_at, mapping_at
from celvet.regex import regex

ID = regex(r"[a-z][a-zA-Z0-9]*")
_KIND = regex(r"[A-Z][a-zA-Z0-9]*")
_RESERVED = frozenset(
    {
        *("apiVersion", "context", "dependency", "dependencies", "each", "externalRef"),
        *("externalReference", "externalRefs", "externalReferences", "graph", "instance"),
        *("item", "items", "kind", "kro", "metadata", "namespace", "object", "resource"),
        *("resourcegraphdefinition", "resourceGraphDefinition", "resources", "root", "runtime"),
        *("schema", "self", "serviceAccountName", "spec", "status", "this", "variables"),
        *("vars", "version", "true", "false", "null", "in", "as", "break", "const", "continue"),
        *("else", "for", "function", "if", "import", "let", "loop", "package", "return", "var"),
        *("void", "while"),
    }
)
_MOST_DIMENSIONS = 10
_OWN_PREFIXES = ("kro.run/", "internal.kro.run/")


def name_refusals(
    kind: Value, schema_at: Path, nodes: Sequence[ResourceNode], *, cluster_wide: bool
) -> Iterator[GraphRefusal]:
    """The refusals by names; instances of a `cluster_wide` kind have no namespace."""
    if isinstance(kind, str) and not _KIND.fullmatch(kind):
        yield GraphRefusal((*schema_at, "kind"), f"the kind `{kind}` is not in UpperCamelCase")
    ids: set[str] = set()
    for node in nodes:
        at = (*node.path, "id")
        if problem := _name_problem(node.id):
            yield GraphRefusal(at, f"the id {problem}")
        elif node.id in ids:
            yield GraphRefusal(at, f"two resources have the id `{node.id}`")
        ids.add(node.id)
        yield from _combination(node)
        yield from _metadata(node, cluster_wide=cluster_wide)
        yield from _dimensions(node, {other.id for other in nodes})


def _name_problem(name: str) -> str:
    if name in _RESERVED:
        return f"`{name}` is a word that kro reserves"
    return "" if ID.fullmatch(name) else f"`{name}` is not in lowerCamelCase"


def _combination(node: ResourceNode) -> Iterator[GraphRefusal]:
    has_template = node.value.get("template") is not None
    has_reference = node.value.get("externalRef") is not None
    if has_template == has_reference:
        words = "a resource has exactly one of `template` and `externalRef`"
        yield GraphRefusal(node.path, words)
        return
    if has_reference and node.dimensions:
        yield GraphRefusal((*node.path, "forEach"), "`externalRef` takes no `forEach`")
    for key, kind in (("apiVersion", str), ("kind", str), ("metadata", Mapping)):
        if not isinstance(node.object.get(key), kind):
            yield GraphRefusal((*node.path, node.field), f"the object has no `{key}`")


def _metadata(node: ResourceNode, *, cluster_wide: bool) -> Iterator[GraphRefusal]:
    """Refusals by the namespace and by labels that kro keeps for itself."""
    at = (*node.path, node.field, "metadata")
    namespace = get(node.object, ("metadata", "namespace"))
    if node.scope == "Cluster" and namespace is not None:
        words = f"objects of the kind `{node.object.get('kind')}` have no namespace"
        yield GraphRefusal((*at, "namespace"), words)
    is_blank = not isinstance(namespace, str) or not namespace.strip()
    lists_all = node.external and node.collection
    if node.scope == "Namespaced" and cluster_wide and is_blank and not lists_all:
        words = "the object needs a namespace, since instances of a `Cluster` scope have none"
        yield GraphRefusal(at, words)
    # The labels are refused by the released kro too, the annotations only by the next one.
    for key in _own_keys(node, "labels"):
        yield GraphRefusal((*at, "labels", key), f"kro keeps `{key}` for itself")
    for key in _own_keys(node, "annotations"):
        words = f"kro after v0.9.3 keeps `{key}` for itself"
        yield GraphRefusal((*at, "annotations", key), words, None, by_schema=True)


def _own_keys(node: ResourceNode, field: str) -> list[str]:
    keys = mapping_at(node.object, ("metadata", field))
    return [key for key in keys if key.startswith(_OWN_PREFIXES)]


def _dimensions(node: ResourceNode, ids: set[str]) -> Iterator[GraphRefusal]:
    at = (*node.path, "forEach")
    if len(list_at(node.value, ("forEach",))) > _MOST_DIMENSIONS:
        yield GraphRefusal(at, f"`forEach` has more than {_MOST_DIMENSIONS} dimensions")
    seen: set[str] = set()
    for index, name, _ in node.dimensions:
        place = (*at, index, name)
        if problem := _name_problem(name):
            yield GraphRefusal(place, f"the iterator {problem}")
        elif name in ids or name in seen:
            owner = "a resource" if name in ids else "another iterator"
            yield GraphRefusal(place, f"{owner} has the name `{name}` as well")
        seen.add(name)
