"""The function libraries of a dialect decide which functions are known and evaluated."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from celvet.lint.cel import Compiled, compile_expression
from celvet.lint.cel.check.foreign_functions import look_up
from celvet.lint.cel.syntax.tree import MACROS
from celvet.lint.cel.syntax.vocabulary import functions
from celvet.schemas.dialect import Dialect
from celvet.schemas.library import STANDARD, is_library, library, library_names, read_library
from tests.cel.dialects import HEALTH
from tests.tables import Table

_TABLE = Table(Path(__file__).with_name("libraries.yaml"))
_KRO = (
    *("bindings", "encoders", "lists", "optional", "strings", "two-var-comprehensions"),
    *("cidr", "ip", "kubernetes-lists", "kubernetes-regex", "quantity", "semver", "url"),
    *("kro", "random"),
)


def _compiled(text: str, *libraries: str, checked: bool = False) -> Compiled:
    name = f"{'checked' if checked else 'parsed'}: {' '.join(libraries)}"
    types = {"self": "google.protobuf.Struct"} if checked else {}
    dialect = Dialect(name, "cel", "", checked=checked, variables=types, libraries=libraries)
    return compile_expression(text, dialect)


def test_a_dialect_without_strings_has_no_functions_of_strings() -> None:
    text = "resource.status.phase.lowerAscii() == 'x'"
    [call] = _compiled(text).unknown_calls
    assert call.name == "lowerAscii"
    assert "of CEL's strings extension" in call.message
    assert _compiled(text, "strings").unknown_calls == ()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("'ab'.charAt(0)", "no such overload"),
        ("'a'.format([])", "no such overload"),
        ("sets.equivalent([1], [1])", "no such attribute(s): sets"),
        ("[1].first()", "no such overload: first"),
    ],
)
def test_a_function_that_the_dialect_lacks_is_not_evaluated(text: str, error: str) -> None:
    assert _compiled(text).evaluate({}).error == error


def test_optional_syntax_needs_the_library() -> None:
    for text, sign in (("a.?b", ".?"), ("a[?'b']", "[?"), ("[1, ?a]", "?"), ("{?'a': b}", "?")):
        [refusal] = _compiled(text).refusals
        assert refusal.message.startswith(f"`{sign}` needs optional values")
        assert text[slice(*refusal.span)] == sign
    [call] = _compiled("a.optMap(x, x)").unknown_calls
    assert call.name == "optMap"
    assert _compiled("a.optMap(x, x)", "optional").unknown_calls == ()


@pytest.mark.parametrize(
    ("function", "since"),
    [
        ("'a'.charAt(0)", 0),
        ("'%s'.format([1])", 1),
        ("strings.quote('a')", 1),
        ("['a'].join()", 0),
        ("'a'.reverse()", 3),
    ],
)
@pytest.mark.parametrize("checked", [False, True])
def test_a_version_has_what_it_introduced_and_no_more(
    function: str, since: int, checked: bool
) -> None:
    for version in range(5):
        compiled = _compiled(function, f"strings@{version}", checked=checked)
        known = not compiled.refusals and not compiled.unknown_calls
        assert known == (version >= since)
        if known:
            assert compiled.evaluate({}).error == ""
    assert _compiled(function, "strings").evaluate({}).error == ""


@pytest.mark.parametrize("checked", [False, True])
def test_what_only_the_controller_has_is_right_and_not_analysed(checked: bool) -> None:
    text, name = "self.l.sortBy(x, x.a)[0].a == 1", "sortBy"
    compiled = _compiled(text, *_KRO, checked=checked)
    assert (compiled.refusals, compiled.unknown_calls) == ((), ())
    assert {found for found, _ in compiled.variables} == {"self"}
    assert (compiled.analysed, compiled.unevaluated) == (False, name)
    outcome = compiled.evaluate({"self": {"a": 1, "l": [1]}})
    assert (outcome.value, outcome.analysed) == (None, False)
    assert outcome.error == f"not evaluated: celvet does not evaluate `{name}`"
    assert compiled.trace({}).complete is False


def test_errors_beside_what_only_the_controller_has() -> None:
    def causes(text: str) -> list[tuple[str, str]]:
        return [(r.cause, r.name) for r in _compiled(text, *_KRO, checked=True).refusals]

    assert causes("self.l.sortBy(x, x) == nope") == [("unknown-variable", "nope")]
    assert causes("self.l.sortBy(x, x) == self.l.nope()") == [("unknown-function", "nope")]
    assert causes("cel.bind(x, 1, x == y)") == [("unknown-variable", "y")]
    assert causes("self.l.sortBy(x, x) + 1 == 'a'") == []
    assert causes("'a'.lowerAscii() == 1") == [("no-overload", "_==_")]
    assert _compiled("self.l.nope() == self.l.flatten()", *_KRO).unknown_calls[0].name == "nope"


def test_a_library_adds_nothing_to_what_the_others_give() -> None:
    for text in ("'aB'.lowerAscii() == 'ab'", "[1].all(x, x > 0)", "'a'.indexOf('a') == 0"):
        assert _compiled(text, *HEALTH.libraries, "quantity").evaluate({}).value is True


@pytest.mark.parametrize("name", [STANDARD, *library_names()])
def test_the_file_of_a_library(name: str) -> None:
    each = read_library(name)
    assert each.functions
    assert each.title
    assert each.source
    assert max(function.since for function in each.functions.values()) <= each.version
    for function in each.functions.values():
        assert function.style in ("function", "method", "either", "macro")
        assert function.binds == 0 or function.style == "macro"
        assert function.can_plan(function.takes if isinstance(function.takes, int) else 1)


def test_the_engine_has_what_is_evaluated() -> None:
    evaluated = [name for name in library_names() if library(name).in_engine]
    macros = {"bindings", "two-var-comprehensions"}  # they are called in another way
    assert {*evaluated} == {*HEALTH.libraries} | macros
    types: Any = {"x": "dyn"}
    dialect = replace(HEALTH, name="all", checked=True, variables=types, libraries=(*evaluated,))
    called = [item for item in functions(dialect.libraries).values() if item.name != "cel.bind"]
    for function in called:
        takes = function.takes if isinstance(function.takes, int) else 1
        args = ["x"] * takes
        calls = [f"{function.name}({', '.join(args)})"]
        if function.style != "function":
            calls = [f"x.{function.name}({', '.join(args[1:])})"]
        for refusal in compile_expression(calls[0], dialect).refusals:
            assert refusal.cause != "unknown-function"


@pytest.mark.parametrize(
    ("reference", "known"),
    [
        ("strings", True),
        ("strings@0", True),
        ("strings@4", True),
        ("strings@5", False),
        ("strings@", False),
        ("strings@x", False),
        ("nope", False),
        ("nope@1", False),
        ("../strings", False),
        (STANDARD, False),
    ],
)
def test_how_a_library_is_named(reference: str, known: bool) -> None:
    assert is_library(reference) == known


def test_functions_that_a_dialect_lacks_have_the_library_that_has_them() -> None:
    known = {*functions(HEALTH.libraries), *MACROS}
    foreign = {name for each in library_names() for name in library(each).functions} - known
    assert len(foreign) > 100
    assert all(look_up(name).library for name in foreign)
    assert look_up("ip").library == "Kubernetes' IP address library"
    assert look_up("indexOf").library == "CEL's strings extension"
    assert look_up("nobody").library == ""


@pytest.mark.parametrize(("text", "value"), _TABLE.section("lists and texts"))
def test_functions_of_lists_and_texts_are_evaluated(text: str, value: object) -> None:
    libraries = ("strings", "lists", "kubernetes-lists", "kubernetes-regex")
    assert _compiled(text, *libraries, checked=True).evaluate({}).value == value
    assert _compiled(text, *libraries).evaluate({}).value == value


@pytest.mark.parametrize(("text", "error"), _TABLE.section("lists and texts errors"))
def test_functions_of_lists_and_texts_fail(text: str, error: str) -> None:
    libraries = ("lists", "kubernetes-lists", "kubernetes-regex")
    assert _compiled(text, *libraries).evaluate({}).error.startswith(error)
