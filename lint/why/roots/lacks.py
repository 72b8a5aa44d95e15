"""Whether what an error says is missing has come since, so that only its retry is due."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping

from celvet.lint.controllers.flux_operator.reference import guessed_plural
from celvet.lint.model import ObjectRef
from celvet.lint.values import get, list_at, text_at
from celvet.lint.why.live_waiter import LiveWaiter
from celvet.lint.why.snapshot import time_at
from celvet.regex import regex
from celvet.schemas.kind_files import built_in_kinds, built_in_scope

_NOT_FOUND = regex(r"([a-z]+)(?:\.([a-z0-9.]+))? \"([^\"]+)\" not found")
"""As `NewNotFound` of apimachinery (v0.36, pkg/api/errors) names an object: `namespaces "a"`."""

_NO_MATCH = regex(r"no matches for kind \"([^\"]+)\" in version \"([^\"/]+)/([^\"]+)\"")
"""As `NoKindMatchError` of apimachinery (v0.36, pkg/api/meta) names a kind without a definition."""

_CAUSES = ("build", "apply", "helm")
_MOST_TEXT = 20_000


def lacking_references(waiter: LiveWaiter) -> list[ObjectRef]:
    """The objects that the error of a waiting object says do not exist."""
    if waiter.cause not in _CAUSES:
        return []
    return [*_not_found(waiter), *(reference for reference, _ in _undefined(waiter))]


def is_mended(waiter: LiveWaiter) -> bool:
    """Whether all that the error says is missing was created after it.

    A stalled object does not look again, so that its error stays.
    """
    references = lacking_references(waiter)
    if not references or "Stalled" in waiter.conditions or waiter.since is None:
        return False
    serves = all(_serves(waiter, reference, version) for reference, version in _undefined(waiter))
    return serves and all(_came_later(waiter, reference) for reference in references)


def _not_found(waiter: LiveWaiter) -> Iterator[ObjectRef]:
    """Values, substitutions, accounts and kubeconfigs are in the namespace of who names them."""
    for plural, group, name in _NOT_FOUND.findall(waiter.message[:_MOST_TEXT]):
        if kind := _kinds_by_plural().get((group, plural)):
            namespaced = built_in_scope(group, kind) == "Namespaced"
            api_version = f"{group}/v1" if group else "v1"
            namespace = waiter.reference.namespace if namespaced else ""
            yield ObjectRef(api_version, kind, namespace, name)


def _undefined(waiter: LiveWaiter) -> Iterator[tuple[ObjectRef, str]]:
    """The definition of each kind that the API server did not know, and the version."""
    for kind, group, version in _NO_MATCH.findall(waiter.message[:_MOST_TEXT]):
        name = f"{guessed_plural(kind)}.{group}"
        definition = ObjectRef("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", name)
        yield definition, version


def _serves(waiter: LiveWaiter, reference: ObjectRef, version: str) -> bool:
    definition = waiter.snapshot.find(reference)
    versions = list_at(definition, ("spec", "versions")) if definition else ()
    return any(
        text_at(item, ("name",)) == version and get(item, ("served",)) is True for item in versions
    )


def _came_later(waiter: LiveWaiter, reference: ObjectRef) -> bool:
    obj = waiter.snapshot.find(reference)
    creation = time_at(obj, ("metadata", "creationTimestamp")) if obj else None
    return creation is not None and waiter.since is not None and creation >= waiter.since


@functools.cache
def _kinds_by_plural() -> Mapping[tuple[str, str], str]:
    return {(group, guessed_plural(kind)): kind for group, kind in built_in_kinds()}
