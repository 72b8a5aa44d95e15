"""Reviews that pass without a lint, and why."""

from __future__ import annotations

from celvet.schemas import Catalog
from celvet.webhook.decide.content import same_content
from celvet.webhook.decide.review import RawMembers, Review, begins, metadata, value_of


def exemption(review: Review, catalog: Catalog) -> str:
    """Why a review passes whatever the object holds; empty if the object must be linted.

    A webhook that denies deletion, status writes or the removal of a finalizer can
    wedge a cluster. Raises `MalformedError`.
    """
    if reason := exemption_of_request(review):
        return reason
    if review.object is None or not _may_concern(review.object, catalog):
        return "the kind has no expressions"
    if review.operation == "UPDATE":
        return _exemption_of_update(review.object, review.old_object)
    return ""


def exemption_of_request(review: Review) -> str:
    """Why a request passes whatever its objects hold; empty if these must be looked at."""
    if review.operation not in ("CREATE", "UPDATE"):
        return "nothing is written"
    return "a subresource is written" if review.subresource else ""


def _exemption_of_update(new: RawMembers, old: RawMembers | None) -> str:
    if value_of(metadata(new).get("deletionTimestamp")):
        return "the object is being deleted"
    if old is not None and same_content(new, old):
        return "nothing but metadata and status changes"
    return ""


def _may_concern(object_: RawMembers, catalog: Catalog) -> bool:
    """Whether an object, or an item of a list, may have expressions or hold objects that do."""
    if begins(object_.get("items", b""), b"["):
        return True
    version, kind = (value_of(object_.get(key)) for key in ("apiVersion", "kind"))
    if not isinstance(version, str) or not isinstance(kind, str):
        return False
    return bool(version) and catalog.concerns(version, kind)
