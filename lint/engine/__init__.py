"""From a text or an object to its findings, for every frontend.

bytes -> prefilter -> manifest -> objects -> checks -> rules -> findings
"""

from __future__ import annotations

from celvet.lint.engine.prefilter import may_concern
from celvet.lint.engine.result import Counts, Crash, FileResult
from celvet.lint.engine.settings import Settings
from celvet.lint.model import Value

__all__ = [
    "Counts",
    "Crash",
    "FileResult",
    "Settings",
    "lint_object",
    "lint_text",
    "load_engine",
    "may_concern",
]


def lint_text(data: bytes | str, name: str = "", settings: Settings | None = None) -> FileResult:
    """The findings of a file of manifests.

    `name` is what messages call it. A file whose bytes mention no known kind and no known field is
    not parsed. Never raises on any content; raises `schemas.CatalogError` for schema directories
    that cannot be used.
    """
    effective_settings = (settings or Settings()).for_file(name)
    if not may_concern(data, effective_settings.schemas, name):
        return FileResult(name)
    from celvet.lint.engine.pipeline import of_text  # loads the YAML reader and CEL

    return of_text(data, name, effective_settings)


def lint_object(value: Value, settings: Settings | None = None) -> FileResult:
    """The findings of one object without a text, such as that of an AdmissionReview.

    The places of its findings have paths and no source. Never raises on any
    value that JSON can hold; raises `schemas.CatalogError` as `lint_text` does.
    """
    from celvet.lint.engine.pipeline import of_object

    return of_object(value, settings or Settings())


def load_engine(*, expressions: bool = False) -> None:
    """Load what linting always needs, so that forked processes need not load it again.

    With `expressions`, also what is otherwise loaded with the first expression.
    """
    from celvet.lint.engine import pipeline  # noqa: F401
    from celvet.lint.rules import rules

    rules()
    if expressions:
        from celvet.lint.cel import gates  # noqa: F401
