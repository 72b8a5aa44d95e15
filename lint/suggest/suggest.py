"""The suggestion for a kind, from the best source there is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from celvet.lint.crds import CrdSchema, Schemas
from celvet.lint.model import GroupKind, Value
from celvet.lint.suggest.derived import (
    StatusShape,
    combine_shapes,
    of_shape,
    shape_of_objects,
    shape_of_schema,
)
from celvet.lint.suggest.from_catalog import of_built_in, of_facts
from celvet.lint.suggest.kind_names import UnknownKindError
from celvet.lint.suggest.suggestion import Suggestion
from celvet.lint.values import mapping_at, text_at
from celvet.record import record
from celvet.regex import regex
from celvet.schemas import Catalog, kind_facts
from celvet.schemas.kind_files import built_in_scope

_VERSIONS = ("v1", "v1beta1", "v1alpha1")
"""The versions that a published schema is looked up for if none is given."""


_VERSION = regex(r"v(?P<major>[0-9]{1,9})(?:(?P<stage>alpha|beta)(?P<minor>[0-9]{1,9}))?")


@record
class Suggester:
    """Suggests entries; `variant` is the catalogue's variant that the user wants, or empty."""

    catalog: Catalog
    schemas: Schemas
    variant: str = ""

    def of(self, kind: GroupKind, objects: Sequence[Value] = ()) -> Suggestion:
        """The entry for a kind; `objects` of it help where the catalogue does not know it.

        Raises `UnknownKindError` if the kind or the variant is not known.
        """
        facts = kind_facts(*kind, self.catalog.directories)
        variants = facts.variants if facts else {}
        if self.variant and self.variant not in variants:
            raise UnknownKindError(_no_variant(kind, self.variant, variants))
        if facts:
            return of_facts(facts, self.variant)
        if built_in_scope(*kind):
            return of_built_in(kind)
        schema = self._schema(kind, objects)
        shapes = [*self._shapes(schema, objects)]
        suggestion = of_shape(kind, _api_version(kind, schema, objects), combine_shapes(shapes))
        if suggestion is None:
            raise UnknownKindError(f"no entry for `{kind}`: {_lack(schema, shapes)}")
        return suggestion

    def _schema(self, kind: GroupKind, objects: Sequence[Value]) -> CrdSchema | None:
        versions = [text_at(obj, ("apiVersion",)) for obj in objects]
        candidates = dict.fromkeys(
            [*versions, *(f"{kind.group}/{version}" for version in _VERSIONS)]
        )
        schemas = (self.schemas.find(version, kind.kind) for version in candidates)
        return next((schema for schema in schemas if schema), None)

    def _shapes(self, schema: CrdSchema | None, objects: Sequence[Value]) -> Iterator[StatusShape]:
        if schema:
            yield shape_of_schema(schema)
        if objects := [obj for obj in objects if mapping_at(obj, ("status",))]:
            yield shape_of_objects(objects)


def _no_variant(kind: GroupKind, name: str, variants: Collection[str]) -> str:
    if not variants:
        return f"`{kind}` has no variants; leave the variant out"
    choices = ", ".join(f"`{name}`" for name in variants)
    return f"`{kind}` has no variant `{name}`; choose from {choices}"


def _lack(schema: CrdSchema | None, shapes: Sequence[StatusShape]) -> str:
    """Why there is no entry for a kind outside of the catalogue, and what may help."""
    if schema and len(shapes) == 1 and not schema.at("status"):
        return "its CRD has no status, so there is nothing to wait for"
    lack = "nothing is known about it"
    if shapes:
        shape = combine_shapes(shapes)
        lack = f"{shape.basis} has no condition, phase or flag that shows readiness"
        if shape.conditions:
            conditions = ", ".join(f"`{condition}`" for condition in shape.conditions)
            lack = f"which of the conditions {conditions} shows readiness is not clear"
    alternative = "" if schema else ", or its CRD with --crds"
    return f"{lack}; name an object with a status with --from-object{alternative}"


def _api_version(kind: GroupKind, schema: CrdSchema | None, objects: Sequence[Value]) -> str:
    if objects:
        return text_at(objects[0], ("apiVersion",))
    version = max((name for name, _ in schema.versions), key=_priority) if schema else ""
    return f"{kind.group}/{version or _VERSIONS[0]}".lstrip("/")


def _priority(version: str) -> tuple[int, ...]:
    """The rank of a version in the order of Kubernetes: stable, beta, alpha, each by number."""
    match = _VERSION.fullmatch(version)
    if match is None:
        return ()
    stage = ("alpha", "beta", None).index(match["stage"])
    return (stage, int(match["major"]), int(match["minor"] or 0))
