from __future__ import annotations

from celvet import schemas
from celvet.lint.cel.syntax.tree import MACROS
from celvet.lint.cel.syntax.vocabulary import functions
from celvet.lint.lsp.features.function_docs import describe_function, function_docs

_DIALECT = schemas.load().dialects["flux-health"]


def test_every_function_and_macro_has_its_line() -> None:
    assert function_docs(_DIALECT).keys() == functions(_DIALECT.libraries).keys() | MACROS


def test_a_snippet_has_a_place_for_each_parameter() -> None:
    known = function_docs(_DIALECT)
    assert known["exists"].snippet == "exists(${1:e}, ${2:test})"
    assert known["trim"].snippet == "trim()"


def test_what_others_have() -> None:
    assert (
        describe_function("trim", _DIALECT)
        == "`x.trim()`\n\nThe text without white space around it."
    )
    assert "belongs to" in describe_function("cel.bind", _DIALECT)
    assert describe_function("nobodysFunction", _DIALECT) == ""
