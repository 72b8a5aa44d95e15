"""What is loaded when: start-up time is a feature."""

from __future__ import annotations

from collections.abc import Callable

import pytest

_HEAVY = ("aiohttp", "cel_expr_python", "google.protobuf", "jsonschema", "rich", "yaml")


@pytest.fixture
def loaded_by(python: Callable[[str], str]) -> Callable[[str], set[str]]:
    """What is loaded after some code."""
    return lambda code: set(python(f"import sys\n{code}\nprint(*sys.modules)").split())


@pytest.mark.parametrize(
    ("code", "allowed"),
    [
        ("import celvet", ()),
        ("import celvet.lint.cli", ()),
        ("import celvet.lint.engine", ("yaml",)),
        ("from celvet.lint.engine import lint_text; lint_text(b'kind: Deployment')", ("yaml",)),
        ("import celvet.lint.rules; celvet.lint.rules.ids()", ()),
    ],
)
def test_nothing_heavy_is_loaded(
    code: str, allowed: tuple[str, ...], loaded_by: Callable[[str], set[str]]
) -> None:
    assert loaded_by(code).intersection(_HEAVY) <= set(allowed)


def test_a_manifest_of_ours_needs_all_of_it(loaded_by: Callable[[str], set[str]]) -> None:
    """Shows that the test above looks at the right names."""
    code = (
        "from celvet.lint.engine import lint_text\n"
        "lint_text('apiVersion: kustomize.toolkit.fluxcd.io/v1\\nkind: Kustomization\\n'"
        "'spec: {dependsOn: [{name: a, readyExpr: dep.x}]}')"
    )
    assert {"cel_expr_python", "jsonschema", "yaml"} <= loaded_by(code)
