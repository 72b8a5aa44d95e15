"""A fix changes only its part, in every style of YAML text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from celvet.lint.locate import Locator
from celvet.lint.locate.changes import CannotChangeError, edits
from celvet.lint.locate.edits import FileEdit, apply_edits
from celvet.lint.manifest import read
from celvet.lint.manifest.yaml.compose import Composer
from celvet.lint.model import Change, Fix, Span, Value, Where
from tests.locate.emit import STYLES
from tests.locate.test_scalars import files
from tests.properties import examples

_PATH = ("outer", 1, "key")
_NEW = st.sampled_from(["", "x", "it's", 'say "a"', "a: b", " # c", "\\", "[é]", "status.?a", "- "])


def _changed(source: str, *changes: Change) -> str:
    manifest = read(source)
    fix = Fix("Change it.", changes)
    return apply_edits(manifest.text, edits(fix, manifest, Locator(manifest)))


@pytest.mark.parametrize("style", STYLES)
@examples(300)
@given(data=st.data())
def test_any_part_of_a_text_can_be_changed(style: str, data: st.DataObject) -> None:
    file = data.draw(files(style))
    if file is None:
        return
    text, source = file
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    new = data.draw(_NEW)
    try:
        after = read(_changed(source, Change(Where(1, _PATH, Span(start, end)), new)))
    except CannotChangeError:
        event(f"{style}: cannot be changed")
        return
    event(f"{style}: changed")
    before = read(source).documents[0].value
    value: Value = after.documents[0].value
    assert value["outer"][1] == {"key": text[:start] + new + text[end:]}
    assert value["outer"][::2] == before["outer"][::2]
    assert source.startswith(after.text[: source.index("key")])


@pytest.mark.parametrize(
    ("written", "after"),
    [
        ("self.a == 'b'", "a == 'b'"),
        ("'self.a == ''b''' # why", "'a == ''b''' # why"),
        ('"self.a == \\"b\\""', '"a == \\"b\\""'),
        (">-\n  self.a &&\n  b", ">-\n  a &&\n  b"),
        ("|\n  self.a\n", "|\n  a\n"),
    ],
)
def test_the_style_is_kept(written: str, after: str) -> None:
    change = Change(Where(1, ("key",), Span(0, 5)), "")
    assert _changed(f"key: {written}\n", change) == f"key: {after}\n"


def test_a_plain_text_that_cannot_stay_one_gets_quotes() -> None:
    change = Change(Where(1, ("key",), Span(0, 1)), "!has(a) ||")
    assert _changed("key: x b # c\n", change) == 'key: "!has(a) || b" # c\n'


@pytest.mark.parametrize("quote", ["", "'", '"'])
@pytest.mark.parametrize("length", [80, 98])
def test_a_line_that_becomes_too_long_is_folded(length: int, quote: str) -> None:
    """One that the author has made too long is not."""
    text = f"{'a' * length} b"
    change = Change(Where(1, ("key",), Span(0, 0)), "c" * 20)
    after = _changed(f"key: {quote}{text}{quote}\n", change)
    assert read(after).documents[0].value == {"key": "c" * 20 + text}
    assert after.startswith("key: >-\n") == (length == 80)


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_an_entry_is_put_before_another(eol: str) -> None:
    source = f"list:{eol}  - name: a{eol}    # why{eol}    expr: b{eol}"
    change = Change(Where(1, ("list", 0, "expr"), None, on_key=True), "ready: true", entry=True)
    after = f"list:{eol}  - name: a{eol}    # why{eol}    ready: true{eol}    expr: b{eol}"
    assert _changed(source, change) == after


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_an_entry_of_several_lines_is_indented(eol: str) -> None:
    change = Change(Where(1, ("spec", "wait"), None, on_key=True), "list:\n  - a", entry=True)
    after = f"spec:{eol}  list:{eol}    - a{eol}  wait: true{eol}"
    assert _changed(f"spec:{eol}  wait: true{eol}", change) == after


@pytest.mark.parametrize("mark", ["- ", "-   "])
def test_an_item_is_put_before_another(mark: str) -> None:
    space = " " * len(mark)
    source = f"list:  # why\n  {mark}name: a\n  {space}text: b\n"
    change = Change(Where(1, ("list", 0)), "name: c\ntext: d", entry=True)
    after = f"list:  # why\n  {mark}name: c\n  {space}text: d\n  {mark}name: a\n  {space}text: b\n"
    assert _changed(source, change) == after


@pytest.mark.parametrize(
    ("place", "left"),
    [(0, "list:\n- b: |\n    y\n- c: z\nend: 1\n"), (1, "list:\n- a: x\n- c: z\nend: 1\n"),
     (2, "list:\n- a: x\n- b: |\n    y\nend: 1\n")],
)  # fmt: skip
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_an_item_is_removed(place: int, left: str, eol: str) -> None:
    source = "list:\n- a: x\n- b: |\n    y\n- c: z\nend: 1\n".replace("\n", eol)
    change = Change(Where(1, ("list", place)), "", remove=True)
    assert _changed(source, change) == left.replace("\n", eol)


def test_a_list_is_removed_with_its_only_item() -> None:
    change = Change(Where(1, ("spec", "list", 0)), "", remove=True)
    assert _changed("spec:\n  list:\n    - a: >-\n        x\n  wait: true\n", change) == (
        "spec:\n  wait: true\n"
    )


@pytest.mark.parametrize(
    "source",
    ["list: [{a: b}, {c: d}]\n", "list:\n- a: b # why\n- c: d\n", "list:\n- &x\n  a: b\n- c: d\n",
     "list:\n- a: b\n"],
)  # fmt: skip
def test_an_item_stays_if_more_than_the_item_would_go(source: str) -> None:
    with pytest.raises(CannotChangeError):
        _changed(source, Change(Where(1, ("list", 0)), "", remove=True))


@pytest.mark.parametrize("source", ["list: [{a: b}]\n", "list:\n- &x\n  a: b\n", "{list: 1}"])
def test_lines_are_not_put_where_no_line_begins(source: str) -> None:
    path = ("list",) if "1" in source else ("list", 0)
    change = Change(Where(1, path, None, on_key=True), "a: c\nd: e", entry=True)
    with pytest.raises(CannotChangeError):
        _changed(source, change)


@pytest.mark.parametrize(
    "source",
    ["key: ${A}b\n", "base: &a {key: text}\nother: {<<: *a}\n", "key: [text]\n", "key: 5\n"],
)
def test_what_is_not_a_text_of_its_own_is_left(source: str) -> None:
    manifest = read(source, substitutions={"A": "self."})
    path = ("missing", "key") if "base" in source else ("key",)
    fix = Fix("Change it.", (Change(Where(1, path, Span(0, 1)), "x"),))
    if source == "key: 5\n":
        assert _changed(source, *fix.changes) == "key: x\n"
        return
    with pytest.raises(CannotChangeError):
        edits(fix, manifest, Locator(manifest))


_DOCUMENT = "list:\n" + "".join(f"  - name: n{at}\n    text: a\n" for at in range(40))


_ALIASED = _DOCUMENT.replace(": a", ": *x").replace("n0", "&x n")


@pytest.mark.parametrize("source", [_DOCUMENT, f"{_ALIASED}---\n" * 3 + _ALIASED])
def test_only_what_a_fix_changes_is_read_again(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = read(source)
    last = len(manifest.documents)
    fix = Fix("Change it.", (Change(Where(last, ("list", 20, "name"), Span(0, 1)), "m"),))
    locator, parsed = Locator(manifest), []
    compose = Composer.compose

    def counted(self: Any) -> None:
        parsed.append(len(self._source.content))
        compose(self)

    monkeypatch.setattr(Composer, "compose", counted)
    assert apply_edits(source, edits(fix, manifest, locator)).count("m20") == 1
    assert 0 < sum(parsed) < len(source) / 3


@pytest.mark.parametrize("entries", [1, 2])
@pytest.mark.parametrize("new", ["\n---\nx", "\n...\nx", "\n- x", "\nlist: x"])
def test_an_edit_does_not_reach_beyond_its_text(new: str, entries: int) -> None:
    item = "- |\n  one\n  two\n"
    source = f"a: b\n---\nlist:\n{item * entries}---\nc: d\n"
    change = Change(Where(2, ("list", 0), Span(3, 3)), new)
    with pytest.raises(CannotChangeError):
        _changed(source, change)


@given(
    st.text(max_size=20), st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=4)
)
def test_edits_that_do_not_touch_are_all_made(text: str, ranges: list[tuple[int, int]]) -> None:
    spans = [Span(min(pair), max(pair)) for pair in ranges if max(pair) <= len(text)]
    apart = [
        span
        for at, span in enumerate(spans)
        if all(span.end < other.start or other.end < span.start for other in spans[:at])
    ]
    naive = text
    for start, end in sorted(apart, reverse=True):
        naive = f"{naive[:start]}<>{naive[end:]}"
    if len(apart) == len(spans):
        assert apply_edits(text, [FileEdit(span, "<>") for span in spans]) == naive
