"""Reviews that pass without a lint, and why."""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.model import Value
from celvet.schemas import Catalog
from celvet.webhook.decide.normalize import same_content
from celvet.webhook.decide.review import Review


def exemption(review: Review, catalog: Catalog) -> str | None:
    """Why a review passes whatever the object holds; None if the object must be linted.

    A webhook that denies deletion, status writes or the removal of a finalizer can
    wedge a cluster.
    """
    if review.operation not in ("CREATE", "UPDATE") or review.object is None:
        return "nothing is written"
    if review.subresource:
        return "a subresource is written"
    if not _known(review.object, catalog):
        return "the kind has no expressions"
    if review.operation == "UPDATE":
        return _update(review.object, review.old_object)
    return None


def _update(new: Mapping[str, Value], old: Mapping[str, Value] | None) -> str | None:
    metadata = new.get("metadata")
    if isinstance(metadata, Mapping) and metadata.get("deletionTimestamp"):
        return "the object is being deleted"
    if old is not None and same_content(new, old):
        return "nothing but metadata and status changes"
    return None


def _known(object_: Mapping[str, Value], catalog: Catalog) -> bool:
    """Whether an object, or an item of a list, is of a kind with expressions."""
    if isinstance(object_.get("items"), list):
        return True
    version, kind = object_.get("apiVersion"), object_.get("kind")
    if not isinstance(version, str) or not isinstance(kind, str):
        return False
    return bool(version) and catalog.find(version, kind) is not None
