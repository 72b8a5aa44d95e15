"""The text report: carets are below the right characters, whatever the line contains."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from celvet.lint.engine import Counts
from celvet.lint.locate import LineRange
from celvet.lint.model import Counterexample, Finding, Severity, Where
from celvet.lint.report.layout import Grouping, Layout
from celvet.lint.report.located import LocatedFinding, Note
from celvet.lint.report.output import concise
from celvet.lint.report.output.text import findings_text, render
from celvet.lint.report.report import FileReport, Report, report
from tests.report.sample import located, sample

_LINK = re.compile("\x1b]8;;.*?\x1b\\\\")
FINDING = Finding(message="wrong", where=Where(), rule="some-rule", severity=Severity.ERROR)


def _shown(source: str, place: LineRange) -> list[str]:
    located = LocatedFinding("f.yaml", FINDING, place, source)
    report = Report((located,), Severity.ERROR, Counts(), 1, 1, (), ())
    return render(report, False).splitlines()


@pytest.mark.parametrize(
    ("source", "columns", "line", "caret"),
    [
        ("a: bcd", (4, 7), "a: bcd", "   ^^^"),
        ("a: bcd", (7, 7), "a: bcd", "      ^"),
        ("\ta: b", (5, 6), "\ta: b", "\t   ^"),
        ("日本: b", (5, 6), "日本: b", "      ^"),
        ("a: 日本", (4, 6), "a: 日本", "   ^^^^"),
        ("e\u0301: b", (5, 6), "e\u0301: b", "   ^"),
        ("a: \x1b[31mb", (4, 5), "a: \N{REPLACEMENT CHARACTER}[31mb", "   ^"),
    ],
)
def test_carets(source: str, columns: tuple[int, int], line: str, caret: str) -> None:
    shown = _shown(source, LineRange(3, columns[0], 3, columns[1]))
    assert shown[1:4] == ["  |", f"3 | {line}", f"  | {caret}"]


def test_a_range_over_several_lines_is_marked_to_the_end_of_its_first() -> None:
    assert _shown("a: |", LineRange(1, 4, 3, 5))[3] == "  |    ^"
    assert _shown("ab: [x,", LineRange(1, 5, 2, 1))[3] == "  |     ^^^"


def test_a_long_line_is_cut_around_the_caret() -> None:
    source = "x" * 500 + "HERE" + "y" * 500
    shown = _shown(source, LineRange(1, 501, 1, 505))
    assert shown[2].startswith("1 | ...xxx")
    assert shown[2].endswith("yyy...")
    start = shown[3].index("^")
    assert shown[2][start : start + 4] == "HERE"
    assert shown[3].count("^") == 4


def test_an_empty_line_is_not_shown() -> None:
    assert _shown("", LineRange(1, 1, 1, 1))[:2] == ["f.yaml:1:1: error: wrong [some-rule]", ""]


def test_the_summary_counts() -> None:
    counts = Counts(
        objects=9,
        expressions=2,
        unanalysed=1,
        unread=4,
        unresolved=2,
        templated=3,
        partly=8,
        suppressed=1,
    )
    text = render(Report((), None, counts, 4, 1, (), ()), False)
    assert text.splitlines() == [
        "nothing to report in 4 files",
        "checked 2 expressions in 9 objects",
        "partly checked: 8 objects in templates of a ResourceSet whose inputs only "
        "the cluster knows",
        "not checked: 3 objects in templates of a ResourceSet that cannot be built without the "
        "cluster",
        "not checked: 2 strings with a `${VAR}` that has no value (see --substitute)",
        "not checked: 1 expression beyond the limits of the analysis",
        "not checked: 4 scripts in a language that celvet does not read",
        "suppressed: 1 finding",
    ]


def test_a_second_place_is_named() -> None:
    note = Note("the first one is here", LineRange(2, 7, 2, 9))
    located = LocatedFinding("f.yaml", FINDING, LineRange(10, 1, 10, 2), "a", (note,))
    lines = render(Report((located,), Severity.ERROR, Counts(), 1, 1, (), ()), False).splitlines()
    assert lines[4] == "   = note: f.yaml:2:7: the first one is here"


def test_a_value_that_stands_twice_is_written_twice() -> None:
    condition = {"type": "Ready"}
    shown = Counterexample("twice", "with both", {"a": condition, "b": [condition]}, "Failed")
    text = findings_text([located(shown=shown)], False)
    assert "        a: {type: Ready}\n" in text
    assert "        - {type: Ready}\n" in text


def test_links_are_for_terminals_that_show_them() -> None:
    found = replace(sample(), layout=Layout(links=True))
    linked = "[\x1b]8;;https://github.com/celvet/celvet/blob/main/docs/rules/first-rule.md\x1b\\first-rule\x1b]8;;\x1b\\]"
    assert linked in render(found, False)
    assert "\x1b]8" not in render(sample(), False)


@pytest.mark.parametrize("group_by", ["", "file", "message", "rule"])
@pytest.mark.parametrize("render_", [render, concise.render])
def test_lines_fit_the_terminal(group_by: Grouping, render_: Callable[..., str]) -> None:
    found = [
        located(message=f"{'word ' * 30}{line}", place=LineRange(line, 1, line, 2))
        for line in (1, 2)
    ]
    whole = report([FileReport("f.yaml", tuple(found))])
    given = replace(whole, layout=Layout(group_by, width=60, links=True))
    lines = [_LINK.sub("", line) for line in render_(given, False).splitlines()]
    fitting = [line for line in lines if len(line) <= 60]
    # A line of `concise` is a finding: editors read it so.
    assert len(lines) - len(fitting) == (2 if render_ is concise.render and not group_by else 0)


@pytest.mark.parametrize(
    ("width", "places"),
    [
        (0, "(f.yaml:1:1, f.yaml:2:1, f.yaml:3:1 and 1 more)"),
        (70, "(f.yaml:1:1, f.yaml:2:1 and 2 more)"),
        (60, "(f.yaml:1:1 and 3 more)"),
        (50, "(f.yaml:1:1, f.yaml:2:1, f.yaml:3:1 and 1 more)"),
    ],
)
def test_a_group_names_as_many_places_as_cost_no_line(width: int, places: str) -> None:
    found = [located(place=LineRange(line, 1, line, 2), file="f.yaml") for line in (1, 2, 3, 4)]
    whole = report([FileReport("f.yaml", tuple(found))])
    text = render(replace(whole, layout=Layout("rule", width=width)), False)
    assert places in " ".join(text.split())


def test_a_group_has_dots_for_what_its_findings_name_differently() -> None:
    messages = ("`a` of `Kind` fails after 1h", "`a` of `Other` fails after 30m")
    found = [
        located(message=message, place=LineRange(line, 1, line, 2))
        for line, message in enumerate(messages, 1)
    ]
    whole = report([FileReport("f.yaml", tuple(found))])
    text = render(replace(whole, layout=Layout("rule")), False)
    assert "2 x error: `a` of `...` fails after ... (" in text


@pytest.mark.parametrize(
    ("kinds", "shown"),
    [("ABC", "A, B, C"), ("ABCD", "A, B, C and 1 other"), ("ABCDE", "A, B, C and 2 others")],
)
def test_the_summary_names_three_kinds_without_a_crd(kinds: str, shown: str) -> None:
    whole = Report((), Severity.ERROR, Counts(), 1, 1, (), (), unchecked_kinds=tuple(kinds))
    line = f"fields not checked for lack of a CRD (see --crds): {shown}"
    assert line in render(whole, False).splitlines()
