"""What CustomResourceDefinitions tell of the objects that expressions are about.

    schema = declaration.schema_of("cert-manager.io/v1", "Certificate")
    if schema:                                   # None: the kind is not known
        schema.at("status", "observedGeneration")    # (): no object has the field
        schema.at("status", "conditions", None, "type")
        schema.values("status", "phase")             # ("Ready", "Failed"), or None

A `Structural` node is a view of the schema, a `CrdSchema` holds one for each
version served, and a `Schemas` is where they come from: `Known` ones at hand
(those of an API server, say), `Sources` named by the user, or `Layers` of these.
"""

from __future__ import annotations

from celvet.lint.crds.schema import (
    NOTHING,
    CrdSchema,
    Known,
    Layers,
    Schemas,
    by_kind,
    of_definition,
    of_document,
)
from celvet.lint.crds.sources import Sources
from celvet.lint.crds.structural import ANYTHING, Structural

__all__ = [
    "ANYTHING",
    "NOTHING",
    "CrdSchema",
    "Known",
    "Layers",
    "Schemas",
    "Sources",
    "Structural",
    "by_kind",
    "of_definition",
    "of_document",
]
