r"""Checks the CEL and JSONPath health checks in GitOps manifests.

As a library:

    >>> import celvet
    >>> manifest = '''\
    ... apiVersion: kustomize.toolkit.fluxcd.io/v1
    ... kind: Kustomization
    ... metadata: {name: apps}
    ... spec:
    ...   wait: true
    ...   healthCheckExprs:
    ...     - apiVersion: cert-manager.io/v1
    ...       kind: Certificate
    ...       failed: status.failed == true
    ...       current: status.ready = true
    ... '''
    >>> finding = celvet.lint_text(manifest, "apps.yaml").findings[0]
    >>> finding.rule, str(finding.severity), finding.line, finding.column
    ('cel-syntax', 'error', 10, 29)

`lint_text` and `lint_object` report what is wrong with a manifest, `evaluate` what the controllers
would decide about an object. `__all__` is the interface; everything else may change without
notice. The import is cheap: each name is loaded when it is first used.
"""

from __future__ import annotations

from celvet.version import __version__

TYPE_CHECKING = False  # as in `typing`, which is not loaded here: see `__main__`
if TYPE_CHECKING:
    from celvet.api import (
        CheckVerdict,
        Edit,
        ExpressionResult,
        LintResult,
        evaluate,
        explain,
        lint_object,
        lint_paths,
        lint_text,
        load_settings,
        suggest,
    )
    from celvet.api import FindingFix as Fix
    from celvet.api import ManifestFinding as Finding
    from celvet.lint.config.table import ConfigError
    from celvet.lint.crds import SchemaSources as CrdSources
    from celvet.lint.engine.settings import Settings
    from celvet.lint.model import Counterexample, ObjectRef, Severity
    from celvet.lint.suggest.kind_names import UnknownKindError
    from celvet.lint.suggest.suggestion import Suggestion
    from celvet.schemas.errors import CatalogError

__all__ = [
    "CatalogError",
    "CheckVerdict",
    "ConfigError",
    "Counterexample",
    "CrdSources",
    "Edit",
    "ExpressionResult",
    "Finding",
    "Fix",
    "LintResult",
    "ObjectRef",
    "Settings",
    "Severity",
    "Suggestion",
    "UnknownKindError",
    "__version__",
    "evaluate",
    "explain",
    "lint_object",
    "lint_paths",
    "lint_text",
    "load_settings",
    "suggest",
]

_MODULES = {
    "CatalogError": "celvet.schemas.errors",
    "ConfigError": "celvet.lint.config.table",
    "Counterexample": "celvet.lint.model",
    "CrdSources": "celvet.lint.crds:SchemaSources",
    "Finding": "celvet.api:ManifestFinding",
    "Fix": "celvet.api:FindingFix",
    "ObjectRef": "celvet.lint.model",
    "Settings": "celvet.lint.engine.settings",
    "Severity": "celvet.lint.model",
    "Suggestion": "celvet.lint.suggest.suggestion",
    "UnknownKindError": "celvet.lint.suggest.kind_names",
}
"""Public names that `celvet.api` does not define as such: their module, and their name there."""


if not TYPE_CHECKING:  # hidden from type checkers, so that they report unknown names

    def __getattr__(name: str) -> object:
        """Load a public name when it is first used."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib

        module, _, inner = _MODULES.get(name, "celvet.api").partition(":")
        value = getattr(importlib.import_module(module), inner or name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return sorted(__all__)
