"""The catalogue of kinds, as data: JSON Schemas that mark their expressions."""

from __future__ import annotations

from celvet.schemas.catalog import BUILT_IN, Catalog, load
from celvet.schemas.dialect import Dialect
from celvet.schemas.errors import CatalogError
from celvet.schemas.facts import KindFacts
from celvet.schemas.kind import Kind
from celvet.schemas.known_kinds import group_facts, kind_facts
from celvet.schemas.sites import ExpressionSite, expression_sites, sites_table

__all__ = [
    "BUILT_IN",
    "Catalog",
    "CatalogError",
    "Dialect",
    "ExpressionSite",
    "Kind",
    "KindFacts",
    "expression_sites",
    "group_facts",
    "kind_facts",
    "load",
    "sites_table",
]
