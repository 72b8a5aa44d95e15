"""The schemas in CustomResourceDefinitions, for the objects that expressions read.

    schema = checked.schema_of("cert-manager.io/v1", "Certificate")
    if schema:                                   # None: the kind is not known
        schema.at("status", "observedGeneration")    # (): no object has the field
        schema.at("status", "conditions", None, "type")
        schema.values("status", "phase")             # ("Ready", "Failed"), or None

A `Structural` node is a view of the schema, a `CrdSchema` holds one for each
version served. `Schemas` finds them: `KnownSchemas` in memory (such as those of an
API server), `SchemaSources` in what the user names, `LayeredSchemas` in several of these,
`CrdLookup` in the current file first.

From top to bottom; a module imports only from those below it:

    sources | lookup
    files | locations
    archives | download | schema
    structural | limits
"""

from __future__ import annotations

from celvet.lint.crds.schema import (
    NOTHING,
    CrdSchema,
    KnownSchemas,
    LayeredSchemas,
    Schemas,
    by_kind,
    of_definition,
    of_document,
    schemas_in,
)
from celvet.lint.crds.sources import SchemaSources
from celvet.lint.crds.structural import ANYTHING, Structural

__all__ = [
    "ANYTHING",
    "NOTHING",
    "CrdSchema",
    "KnownSchemas",
    "LayeredSchemas",
    "SchemaSources",
    "Schemas",
    "Structural",
    "by_kind",
    "of_definition",
    "of_document",
    "schemas_in",
]
