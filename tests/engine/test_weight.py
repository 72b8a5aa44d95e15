"""What is loaded when: start-up time is a feature."""

from __future__ import annotations

import subprocess
import sys

import pytest

_HEAVY = ("aiohttp", "cel_expr_python", "google.protobuf", "jsonschema", "rich", "yaml")


def _loaded_by(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    return set(ran.stdout.split())


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
def test_nothing_heavy_is_loaded(code: str, allowed: tuple[str, ...]) -> None:
    assert _loaded_by(code).intersection(_HEAVY) <= set(allowed)


def test_a_manifest_of_ours_needs_all_of_it() -> None:
    """Shows that the test above looks at the right names."""
    code = (
        "from celvet.lint.engine import lint_text\n"
        "lint_text('apiVersion: kustomize.toolkit.fluxcd.io/v1\\nkind: Kustomization\\n'"
        "'spec: {dependsOn: [{name: a, readyExpr: dep.x}]}')"
    )
    assert {"cel_expr_python", "jsonschema", "yaml"} <= _loaded_by(code)
