"""The modules that commands load, since start-up time is a feature."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

_HEAVY = ("aiohttp", "cel_expr_python", "google.protobuf", "jsonschema", "rich", "yaml")

_ON_NEED = (
    "celvet.lint.cel.check.typo_hints",
    "celvet.lint.cel.trace.tracer",
    "celvet.lint.cel.typo_fixes",
    "celvet.lint.controllers",
    "celvet.lint.crds.files",
    "celvet.lint.gotemplate",
    "celvet.lint.jsonpath",
    "celvet.lint.kustomize.transformers",
    "celvet.lint.manifest.substitute",
    "celvet.lint.manifest.yaml.scalars",
    "celvet.lint.manifest.yaml.syntax_errors",
    "celvet.lint.predict.fixes",
    "celvet.lint.predict.search.search",
    "celvet.lint.repository.index",
    "celvet.lint.typecheck",
    "celvet.schemas.reader",
    "click",
    "concurrent.futures",
    "dataclasses",
    "decimal",
    "google.protobuf.descriptor_pb2",
    "validate",
    "jsonschema",
    "logging",
    "mmap",
    "multiprocessing",
    "rich",
    "socket",
    "subprocess",
    "tarfile",
    "tempfile",
    "tomllib",
    "zipfile",
)
"""Modules that `celvet lint` does not load for a Flux file without findings."""

_FOR_EXPRESSIONS = ("celvet.lint.cel.gates", "cel_expr_python", "google")
"""Modules that it also does not load for one without an expression."""

_OF_OURS = (
    "celvet.lint.cel",
    "celvet.lint.checks",
    "celvet.lint.gotemplate",
    "celvet.lint.kustomize",
    "celvet.lint.locate",
    "celvet.lint.manifest.reader",
    "celvet.lint.predict",
    "celvet.lint.validation",
    "cel_expr_python",
    "difflib",
    "google",
    "hashlib",
    "yaml",
)
"""Modules that it also does not load for an irrelevant file."""

_MANIFEST = (
    "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
    "metadata: {name: a, namespace: b}\n"
    "spec: {interval: 1h, prune: true, sourceRef: {kind: GitRepository, name: a},"
    " dependsOn: [{name: a, readyExpr: dep.status.x == 1}]}\n"
)
_NO_EXPRESSION = _MANIFEST.partition(", dependsOn")[0] + "}\n"


@pytest.fixture
def loaded_by(python: Callable[[str], str]) -> Callable[[str], set[str]]:
    """The loaded modules after some code."""
    return lambda code: set(python(f"import sys\n{code}\nprint(*sys.modules)").split())


@pytest.mark.parametrize(
    ("code", "allowed"),
    [
        ("import celvet", ()),
        ("import celvet.lint.cli", ()),
        ("import celvet.lint.engine", ()),
        ("from celvet.lint.engine import lint_text; lint_text(b'kind: Deployment')", ()),
        ("import celvet.lint.rules; celvet.lint.rules.ids()", ()),
    ],
)
def test_nothing_heavy_is_loaded(
    code: str, allowed: tuple[str, ...], loaded_by: Callable[[str], set[str]]
) -> None:
    assert loaded_by(code).intersection(_HEAVY) <= set(allowed)


def test_a_manifest_of_ours_needs_most_of_it(loaded_by: Callable[[str], set[str]]) -> None:
    """Shows that the test above checks the right names."""
    code = f"from celvet.lint.engine import lint_text\nlint_text({_MANIFEST!r})"
    assert {"cel_expr_python", "yaml"} <= loaded_by(code)


@pytest.mark.skipif(sys.platform != "linux", reason="a fork is not safe elsewhere")
def test_processes_need_no_library(loaded_by: Callable[[str], set[str]]) -> None:
    work = "from celvet.lint.cli.run.parallel import in_parallel\nlist(in_parallel(str, [1, 2], 2))"
    assert not loaded_by(work) & {"multiprocessing", "socket", "subprocess", "tempfile"}


@pytest.mark.parametrize(
    ("text", "not_loaded"),
    [
        (_MANIFEST, _ON_NEED),
        (_NO_EXPRESSION, (*_ON_NEED, *_FOR_EXPRESSIONS)),
        ("kind: ConfigMap\ndata: {a: b}\n", (*_ON_NEED, *_OF_OURS)),
    ],
    ids=["a Flux file", "without an expression", "nothing of ours"],
)
def test_a_plain_run_loads_only_what_it_uses(
    text: str, not_loaded: tuple[str, ...], tmp_path: Path, loaded_by: Callable[[str], set[str]]
) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(text, encoding="utf-8")
    code = (
        "from celvet.lint.cli import exit_status\n"
        f"import os; os.chdir({str(tmp_path)!r})  # where no configuration is\n"
        f"exit_status(['lint', '--quiet', {str(file)!r}])"
    )
    assert not loaded_by(code).intersection(not_loaded)
