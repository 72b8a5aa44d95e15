"""The schema of a kind: one for each version that is served."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from celvet.lint.crds.structural import ANYTHING, Structural, Unnamed
from celvet.lint.model import GroupKind, Value
from celvet.lint.values import get, group_kind_of, list_at, mapping_at, text_at
from celvet.record import record, replace
from celvet.regex import regex
from celvet.schemas.repository.definer import definers

API_GROUP = "apiextensions.k8s.io"
KIND = "CustomResourceDefinition"
_WORD = b"ResourceDefinition"
"""A part of the names of all kinds that define others."""
_NAMES = regex(rb"\bnames\b")
_DEFINITION = regex(rf"^kind:\s*[\"']?{KIND}\b", re.MULTILINE)

_MAX_VERSIONS = 100
"""Each costs a walk over each expression; a CRD of several releases has about ten."""


@record
class CrdSchema:
    """The schema of a kind, one node for each version that is served.

    The version of an object is unknown here, so something is wrong only if it is wrong in all of
    them. `columns` are the JSONPaths that `kubectl get` shows. `scope` is `Namespaced` or
    `Cluster`, empty if it is not known. `definer` is the kind of the object that the CRD is made
    of, None for a CRD that people write.
    """

    group_kind: GroupKind
    versions: tuple[tuple[str, Structural], ...]
    columns: tuple[str, ...] = ()
    scope: str = ""
    definer: GroupKind | None = None

    @property
    def roots(self) -> tuple[Structural, ...]:
        """The node of a whole object, in each version."""
        return tuple(root for _, root in self.versions)

    def at(self, *path: str | None) -> tuple[Structural, ...]:
        """The nodes at a path of fields, in the versions that have it; None steps into a list.

        Empty if no version has the field: no object will ever have it.
        """
        return tuple(node for root in self.roots if (node := _walk(root, path)) is not None)

    def values(self, *path: str | None) -> tuple[str, ...] | None:
        """The strings that a field may be in any version; None if it may be any string."""
        texts: dict[str, None] = {}
        for node in self.at(*path):
            if node.values is None:
                return None
            texts |= dict.fromkeys(node.values)
        return tuple(texts) or None


class Schemas(Protocol):
    """Finds the schema of a kind: in files, from an API server, or elsewhere."""

    def find(self, api_version: str, kind: str) -> CrdSchema | None:
        """The schema of a kind; None if it is unknown. Never raises.

        Only the group of `api_version` identifies the kind; the version is for
        sources that have a document for each.
        """

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be read so far, with a message for each, to be shown once."""


@record
class KnownSchemas:
    """Schemas in memory, such as those of an API server."""

    schemas: Mapping[GroupKind, CrdSchema]

    def find(self, api_version: str, kind: str) -> CrdSchema | None:
        """The schema of a kind."""
        return self.schemas.get(GroupKind.of(api_version, kind))

    @property
    def problems(self) -> tuple[str, ...]:
        """None: nothing is read."""
        return ()


@record
class LayeredSchemas:
    """Several sources; the first that knows a kind counts."""

    stores: tuple[Schemas, ...]

    def find(self, api_version: str, kind: str) -> CrdSchema | None:
        """The schema of a kind."""
        schemas = (store.find(api_version, kind) for store in self.stores)
        return next((schema for schema in schemas if schema), None)

    @property
    def problems(self) -> tuple[str, ...]:
        """The problems of all stores."""
        return tuple(problem for store in self.stores for problem in store.problems)


NOTHING: Schemas = KnownSchemas({})
"""Schemas of no kind."""


def may_define(data: bytes) -> bool:
    """Whether a file may contain a CRD; False is certain, True is not."""
    return data.find(_WORD) >= 0


def is_definition(text: str) -> bool:
    """Whether a document that may not be YAML says that it is a CRD."""
    return _DEFINITION.search(text) is not None


def may_name_kind(data: bytes) -> bool:
    """Whether a file may contain a CRD with the names of its kind; False is certain.

    A file that only refers to one, as Flux's health checks do, has no `names`.
    """
    return may_define(data) and _NAMES.search(data) is not None


def schemas_in(value: Value) -> Iterator[CrdSchema]:
    """The schemas of the kinds that a parsed document defines, as a CRD or through a controller."""
    kind = group_kind_of(value)
    if schema := of_definition(value):
        yield schema
    elif definer := definers().get(kind):
        from celvet.lint.crds.composites import made_definitions  # few files need it

        for spec in made_definitions(mapping_at(value), definer):
            if schema := _of_spec(spec, keeps_unknown=False):
                yield replace(schema, definer=kind)


def of_definition(value: Value) -> CrdSchema | None:
    """The schema in a CustomResourceDefinition (`v1` or `v1beta1`), as a parsed document.

    None for any other value, and for a definition without group, kind or versions.
    """
    if group_kind_of(value) != GroupKind(API_GROUP, KIND):
        return None
    spec = mapping_at(value, ("spec",))
    beta = text_at(value, ("apiVersion",)).endswith("/v1beta1")
    return _of_spec(spec, keeps_unknown=spec.get("preserveUnknownFields", beta) is not False)


def _of_spec(spec: Mapping[str, Value], *, keeps_unknown: bool) -> CrdSchema | None:
    group, kind = spec.get("group"), get(spec, ("names", "kind"))
    if not isinstance(group, str) or not isinstance(kind, str):
        return None
    versions = tuple(_versions(spec, "kept" if keeps_unknown else "dropped"))
    schema = _limit_versions(GroupKind(group, kind), versions) if versions else None
    columns = tuple(dict.fromkeys(_columns(spec)))
    return schema and replace(schema, columns=columns, scope=text_at(spec, ("scope",)))


def by_kind(schemas: Iterable[CrdSchema]) -> dict[GroupKind, CrdSchema]:
    """The schemas by kind; if several CRDs define one, the versions of all count, copies once."""
    merged_schemas: dict[GroupKind, CrdSchema] = {}
    for schema in schemas:
        earlier_schema = merged_schemas.get(schema.group_kind, CrdSchema(schema.group_kind, ()))
        versions = [(name, root.schema) for name, root in earlier_schema.versions]
        # A copy of a CRD in another directory would only double the walks over each expression.
        new_versions = (
            version
            for version in schema.versions
            if (version[0], version[1].schema) not in versions
        )
        combination = _limit_versions(schema.group_kind, (*earlier_schema.versions, *new_versions))
        columns = tuple(dict.fromkeys((*earlier_schema.columns, *schema.columns)))
        scope = earlier_schema.scope or schema.scope
        merged_schemas[schema.group_kind] = replace(
            combination,
            columns=columns,
            scope=scope,
            definer=earlier_schema.definer or schema.definer,
        )
    return merged_schemas


def _limit_versions(
    group_kind: GroupKind, versions: tuple[tuple[str, Structural], ...]
) -> CrdSchema:
    """The schema of a kind; one with too many versions counts as unknown."""
    return CrdSchema(group_kind, versions if len(versions) <= _MAX_VERSIONS else (("", ANYTHING),))


def of_document(api_version: str, kind: str, document: Value) -> CrdSchema:
    """The schema of a kind from a published JSON Schema, for one version."""
    root = mapping_at(document)
    version = api_version.rpartition("/")[2]
    node = Structural(root, "guessed", root, is_object=True)
    return CrdSchema(GroupKind.of(api_version, kind), ((version, node),))


def _versions(
    spec: Mapping[str, Value], unnamed_fields: Unnamed
) -> Iterator[tuple[str, Structural]]:
    """The versions served; in `v1beta1` there may be one schema for all, or `version` alone."""
    common_schema = mapping_at(spec, ("validation",))
    version_entries = spec.get("versions")
    for version in (
        version_entries if isinstance(version_entries, list) else [{"name": spec.get("version")}]
    ):
        entry = mapping_at(version)
        if isinstance(name := entry.get("name"), str) and entry.get("served", True) is True:
            schema = mapping_at(entry, ("schema",)) or common_schema
            root = mapping_at(schema, ("openAPIV3Schema",))
            # Without a schema nothing is known, and the API server drops nothing.
            yield name, Structural(root, unnamed_fields if root else "kept", root, is_object=True)


def _columns(spec: Mapping[str, Value]) -> Iterator[str]:
    """The JSONPaths of the printer columns; in `v1beta1` they may be those of all versions."""
    for holder in (spec, *list_at(spec, ("versions",))):
        for column in list_at(holder, ("additionalPrinterColumns",)):
            yield text_at(column, ("jsonPath",)) or text_at(column, ("JSONPath",))


def _walk(node: Structural | None, path: tuple[str | None, ...]) -> Structural | None:
    for step in path:
        if node is not None:
            node = node.items if step is None else node.field(step)
    return node
