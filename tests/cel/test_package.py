"""The interface of the package: it is lazy, and keeps the engine apart."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from celvet.lint import cel
from celvet.lint.cel import compile_expression
from celvet.schemas.dialect import Dialect
from tests.cel.dialects import HEALTH

_ENGINE = ("cel_expr_python", "google.protobuf")


@pytest.mark.parametrize(
    "module",
    [
        "celvet",
        "celvet.lint.cel",
        "celvet.lint.cel.syntax.tree",
        "celvet.lint.cel.syntax.parser",
        "celvet.lint.cel.syntax.vocabulary",
    ],
)
def test_the_engine_is_loaded_only_to_compile(module: str, python: Callable[[str], str]) -> None:
    code = f"import sys, {module}; print([m for m in {_ENGINE} if m in sys.modules])"
    assert python(code).strip() == "[]"


def test_only_the_engine_module_imports_the_library() -> None:
    package = Path(cel.__file__).parent
    importing = [
        path.name
        for path in package.rglob("*.py")
        if "import cel" in path.read_text(encoding="utf-8").replace("celvet.lint.cel", "")
        and "cel_expr_python" in path.read_text(encoding="utf-8")
    ]
    assert importing == ["environment.py"]


def test_every_name_of_the_package_is_there() -> None:
    source = ast.parse(Path(cel.__file__).read_text(encoding="utf-8"))
    [typed] = [node for node in source.body if isinstance(node, ast.If)]
    imports = [node for node in typed.body if isinstance(node, ast.ImportFrom)]
    assert imports
    for node in imports:
        module = importlib.import_module(str(node.module))
        for name in node.names:
            assert getattr(cel, name.name) is getattr(module, name.name)
    with pytest.raises(AttributeError):
        _ = cel.nothing


def test_libraries_of_a_dialect_decide() -> None:
    bare = Dialect("bare", "cel", "", libraries=())
    assert compile_expression("sets.equivalent(a, b)", HEALTH).evaluate({"a": [1], "b": [1]}).value
    outcome = compile_expression("sets.equivalent(a, b)", bare).evaluate({"a": [1], "b": [1]})
    assert outcome.error == "no such attribute(s): sets"


def test_a_dialect_of_one_name_and_another_content_is_compiled_again() -> None:
    checked = replace(HEALTH, checked=True, variables={"status": "google.protobuf.Struct"})
    assert compile_expression("nope", checked).refusals
    assert not compile_expression("nope", HEALTH).refusals
