"""The one way in: a text or an object goes in, findings come out, for every frontend alike.

bytes -> sieve -> manifest -> objects -> declarations -> rules -> findings
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from celvet.lint.engine.result import Counts, Crash, FileResult
from celvet.lint.engine.settings import Settings
from celvet.lint.model import Value

if TYPE_CHECKING:
    from celvet.lint.engine.incremental import Memory

__all__ = ["Counts", "Crash", "FileResult", "Settings", "lint_object", "lint_text"]


def lint_text(
    data: bytes | str,
    name: str = "",
    settings: Settings | None = None,
    memory: Memory | None = None,
) -> FileResult:
    """Everything there is to say of one file of manifests.

    `name` is what messages call it. With the `memory` of an earlier text of the
    file, the rules look at what has changed alone, and say the same, if in another order.
    A file that mentions no kind and no field of ours is dismissed by a look at
    its bytes, without being parsed. Never raises on any content; raises
    `schemas.CatalogError` for schema directories of the user's that cannot be used.
    """
    from celvet.lint.engine.prefilter import may_concern

    chosen = settings or Settings()
    if not may_concern(data, chosen.schemas):
        return FileResult(name)
    from celvet.lint.engine.pipeline import of_text  # loads the YAML reader, jsonschema and CEL

    return of_text(data, name, chosen, memory)


def lint_object(value: Value, settings: Settings | None = None) -> FileResult:
    """Everything there is to say of one object, as it is in an AdmissionReview.

    The places of its findings have paths and no source. Never raises on any
    value that JSON can hold; raises `schemas.CatalogError` as `lint_text` does.
    """
    from celvet.lint.engine.pipeline import of_object

    return of_object(value, settings or Settings())
