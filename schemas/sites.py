"""Lists the places of expressions in each kind, for the documentation and the prefilter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from celvet.record import record
from celvet.schemas.kind import Kind, Schema
from celvet.schemas.walk import ANY_KEY, ITEM, children


@record
class ExpressionSite:
    """The place of an expression in a kind.

    `segments` lead there from the root: field names, `ITEM` and `ANY_KEY`.
    """

    kind: Kind
    segments: tuple[str, ...]
    dialect: str
    role: str

    @property
    def pattern(self) -> str:
        """The path in the usual notation: `spec.healthCheckExprs[].current`."""
        return pattern(self.segments)

    @property
    def fields(self) -> tuple[str, ...]:
        """The field names among the segments."""
        return tuple(name for name in self.segments if name not in (ITEM, ANY_KEY))


def pattern(segments: tuple[str, ...]) -> str:
    """Segments joined by dots, list elements as `[]`: `spec.dependsOn[].readyExpr`."""
    return ".".join(segments).replace(f".{ITEM}", ITEM)


def expression_sites(kind: Kind) -> Iterator[ExpressionSite]:
    """The sites of a kind, in the order of its schema."""
    places = set()
    for segments, schema in subschemas(kind.schema):
        mark = schema.get("x-expression")
        if mark and segments not in places:
            places.add(segments)
            yield ExpressionSite(kind, segments, mark["dialect"], mark["role"])


def subschemas(
    schema: Schema, segments: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Schema]]:
    """A schema and all schemas below it, each with the segments that lead to it."""
    yield segments, schema
    for _, segment, subschema in children(schema):
        yield from subschemas(subschema, segments if segment is None else (*segments, segment))


def sites_table(kinds: Iterable[Kind]) -> tuple[ExpressionSite, ...]:
    """All sites of these kinds, ordered by kind and place in the schema."""
    return tuple(site for kind in kinds for site in expression_sites(kind))
