"""The baseline is read as it was written; anything else is refused with a reason."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.report.baseline import BaselineError, hide_known, parse, text_of, updated_baseline
from celvet.lint.report.fingerprint import Identity
from celvet.lint.report.report import FileReport
from tests.cli.command import celvet
from tests.cli.test_lint import BAD
from tests.report.sample import located

_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
_IDENTITIES = st.builds(Identity, *[_TEXTS] * 6)
_BASELINES = st.dictionaries(_IDENTITIES, st.integers(1, 9), max_size=5).map(Counter)


@given(_BASELINES)
def test_what_is_written_is_read(known: Counter[Identity]) -> None:
    text = text_of(known)
    assert parse(text) == known


@given(_BASELINES)
def test_the_order_of_finding_does_not_show(known: Counter[Identity]) -> None:
    assert text_of(Counter(dict(reversed(known.items())))) == text_of(known)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "[" * 100_000,
        '{"version": 1}',
        '{"version": 1, "findings": [1]}',
        '{"version": 1, "findings": [{"file": "a", "count": 1}]}',
        text_of(Counter({Identity("a", "b", "c", "d", "e", "f"): 1})).replace("1}", "0}"),
        text_of(Counter({Identity("a", "b", "c", "d", "e", "f"): 1})).replace("1}", "true}"),
        text_of(Counter({Identity("a", "b", "c", "d", "e", "f"): 1})).replace('"a"', "{}"),
    ],
    ids=range(11),
)
def test_what_is_not_a_baseline_is_refused(text: str) -> None:
    with pytest.raises(BaselineError):
        parse(text)


@given(st.text().filter(lambda name: not name.startswith("/")))
def test_an_entry_of_any_file_can_be_gone(name: str) -> None:
    known = Counter({Identity(name, "r", "", "", "", ""): 1})
    assert hide_known([], known, "/nowhere").stale_entries == known
    long = Counter({Identity("a" * 9999, "r", "", "", "", ""): 1})
    assert hide_known([], long, "/").stale_entries == long


def test_file_names_that_are_no_text_are_known_again() -> None:
    files = [FileReport("b\udcff.yaml", (located(file="b\udcff.yaml"),))]
    known = parse(text_of(updated_baseline(files, Counter(), "/nowhere")))
    result = hide_known(files, known, "/nowhere")
    assert (result.known_count, result.stale_entries) == (1, Counter())
    assert [each.findings for each in result.files] == [()]


@pytest.mark.parametrize(("now", "new"), [(1, 0), (2, 0), (3, 1)])
def test_a_finding_that_occurs_more_often_than_it_was_known_is_new(now: int, new: int) -> None:
    found = located(file="a.yaml")
    known = updated_baseline([FileReport("a.yaml", (found, found))], Counter(), "/nowhere")
    result = hide_known([FileReport("a.yaml", (found,) * now)], known, "/nowhere")
    assert [len(each.findings) for each in result.files] == [new]


def test_a_file_that_cannot_be_opened_says_nothing_about_its_findings() -> None:
    known = Counter({Identity("passwd", "r", "", "", "", ""): 1})
    assert (
        hide_known([FileReport("/etc/passwd", unread="no")], known, "/etc").stale_entries
        == Counter()
    )
    assert hide_known([FileReport("/etc/passwd")], known, "/etc").stale_entries == known


def test_paths_count_from_the_root_of_the_repository(tmp_path: Path) -> None:
    below = tmp_path / "clusters" / "a b"
    below.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (below / "bad.yaml").write_text(BAD, encoding="utf-8")
    options = ("--baseline", tmp_path / "known.json")
    assert celvet("lint", ".", *options, "--update-baseline", cwd=tmp_path).status == 0
    named = "bad.yaml", below / "bad.yaml", "../../clusters/a b/bad.yaml"
    for path in named:
        assert celvet("lint", path, *options, cwd=below).status == 0
    (issue,) = json.loads(celvet("lint", "bad.yaml", "-f", "gitlab", cwd=below).out)
    assert issue["location"]["path"] == "clusters/a b/bad.yaml"
    (finding,) = json.loads(celvet("lint", "bad.yaml", "-f", "json", cwd=below).out)["findings"]
    assert finding["file"] == "bad.yaml"
    junit = celvet("lint", "bad.yaml", "-f", "junit", cwd=below).out
    assert junit.count("bad.yaml") == junit.count("clusters/a b/bad.yaml")
