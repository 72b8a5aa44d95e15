"""What the controllers read of a dependency, themselves and for a `readyExpr`.

Mirrors `checkDependencies` of kustomize-controller v1.9.5 and of
helm-controller v1.6.4.
"""

from __future__ import annotations

from celvet.lint.controllers.unstructured import elements, integer_or, text_or
from celvet.lint.model import Value


def typed(obj: Value) -> Value:
    """The object as the controller has it, in a Go type: metadata, spec and status are there.

    Other fields are left as they stand, though the type would drop a false
    `suspend` and such, and fields that it does not know.
    """
    if not isinstance(obj, dict):
        return {}
    parts = ("metadata", "spec", "status")
    return obj | {name: {} for name in parts if not isinstance(obj.get(name), dict)}


def ready(obj: Value) -> bool:
    """Whether the condition `Ready` is True, and the generation observed."""
    generation = integer_or(0, obj, "metadata", "generation")
    observed = integer_or(0, obj, "status", "observedGeneration")
    conditions = elements(obj, "status", "conditions")
    found = next((item for item in conditions if text_or("", item, "type") == "Ready"), None)
    return generation == observed and text_or("", found, "status") == "True"


def revision_is_old(owner: Value, obj: Value, revision: Value) -> bool:
    """Whether a Kustomization of the same source has yet to apply its revision.

    A HelmRelease has no such field. Without a revision nothing is known.
    """
    if not revision or _source(owner) != _source(obj):
        return False
    return bool(text_or("", obj, "status", "lastAppliedRevision") != revision)


def _source(obj: Value) -> tuple[str, str, str]:
    kind, name = (text_or("", obj, "spec", "sourceRef", key) for key in ("kind", "name"))
    own = text_or("", obj, "metadata", "namespace")
    return kind, name, text_or("", obj, "spec", "sourceRef", "namespace") or own
