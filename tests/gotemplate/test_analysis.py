"""The fields that a template reads, and the functions that it calls."""

from __future__ import annotations

import pytest

from celvet.lint.gotemplate import ITEM, parse


def paths(source: str) -> list[str]:
    return [".".join(read.path) for read in parse(source).analyse().reads]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<< inputs.a.b >>", ["a.b"]),
        ("<< inputs >>", [""]),
        ("<< inputs.a | upper | quote >>", ["a"]),
        ("<< (inputs).a >><< (inputs.a).b >>", ["", "a", "a", "a.b"]),
        ("<< if inputs.a >><< inputs.b >><< else if inputs.c >>x<< end >>", ["a", "b", "c"]),
        ("<< with inputs.a >><< .b >><< else >><< inputs.c >><< end >>", ["a", "a.b", "c"]),
        ("<< range inputs.a >><< .b >><< end >>", ["a", f"a.{ITEM}.b"]),
        ("<< range $k, $v := inputs.a >><< $k >><< $v.b >><< end >>", ["a", f"a.{ITEM}.b"]),
        ("<< $x := inputs.a >><< $x.b >><< $x = inputs.c >><< $x.d >>", ["a", "a.b", "c", "c.d"]),
        ('<< index inputs.a "b" 0 >><< get inputs "c" >>', [f"a.b.{ITEM}", "a", "c", ""]),
        ('<< dig "a" "b" "none" inputs >>', ["a.b", ""]),
        ("<< (first inputs.a).b >>", ["a", f"a.{ITEM}.b"]),
        ('<< define "t" >><< .x >><< end >><< template "t" inputs.a >>', ["a.x", "a"]),
        ('<< block "t" inputs.a >><< .x >><< end >>', ["a", "a.x"]),
        ('<< define "t" >><< inputs.x >><< end >>', ["x"]),
        ("<< (default inputs.a inputs.b).c >>", ["a", "b", "b.c"]),
        ("<< range inputs.a >><< . >><< end >>", ["a", f"a.{ITEM}"]),
        ("<< (dict).a >><< .b >><< $.c >>", []),
    ],
)  # fmt: skip
def test_paths_are_followed(source: str, expected: list[str]) -> None:
    assert sorted(paths(source)) == sorted(expected)


def test_a_read_says_where_and_what_for() -> None:
    source = "<< if inputs.on >><< upper inputs.é.b >><< inputs.n | int >><< end >>"
    reads = parse(source).analyse().reads
    told = [(source[r.span.start : r.span.end], r.caller, r.keyword) for r in reads]
    assert told == [("inputs.on", "", "if"), ("inputs.é.b", "upper", ""), ("inputs.n", "int", "")]


def test_calls_are_reported() -> None:
    source = "<< range until 3 >><< . | quote >><< (upper (lower `x`)).y >><< end >>"
    calls = parse(source).analyse().calls
    assert [call.name for call in calls] == ["until", "quote", "upper", "lower"]
    assert all(source[c.span.start : c.span.end] == c.name for c in calls)


def test_recursion_ends() -> None:
    assert paths('<< define "t" >><< template "t" .a >><< end >><< template "t" inputs >>')
