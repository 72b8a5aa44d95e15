"""The positions of symbolic places: keys, fallbacks, aliases, merges, nested texts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.locate import LineRange, Locator
from celvet.lint.manifest import objects_in, read
from celvet.lint.model import Path, Span, Where
from tests.locate.emit import STYLES
from tests.properties import examples

_TEXT = """\
# é
base: &base
  current: &expr "status.\\u0061 == 'b'"   # shared
  kind: A
spec:
  entries:
    - <<: *base
      kind: 'B'
    - current: *expr
    - [x, {k: z}]
  block: |-

    first
     line
  empty:
---
second: [
"""
_MANIFEST = read(_TEXT)
_LOCATOR = Locator(_MANIFEST)


@pytest.mark.parametrize(
    ("path", "span", "on_key", "source"),
    [
        (("base", "kind"), None, False, "A"),
        (("base", "kind"), None, True, "kind"),
        (("base",), None, True, "base"),
        (("base", "current"), None, False, "\"status.\\u0061 == 'b'\""),
        (("base", "current"), Span(7, 8), False, "\\u0061"),
        (("spec", "entries", 0, "current"), Span(7, 8), False, "\\u0061"),
        (("spec", "entries", 0, "current"), None, True, "current"),
        (("spec", "entries", 0, "kind"), Span(0, 1), False, "B"),
        (("spec", "entries", 1, "current"), Span(0, 6), False, "status"),
        (("spec", "entries", 2, 1, "k"), None, False, "z"),
        (("spec", "entries", 2), None, False, "[x, {k: z}]"),
        (("spec", "entries", 2), None, True, "[x, {k: z}]"),
        (("spec", "entries", 0), None, True, "<<"),
        (("spec", "block"), Span(8, 12), False, "line"),
        (("spec", "block"), Span(7, 8), False, " "),
        (("spec", "empty"), None, False, ""),
        (("spec", "empty"), None, True, "empty"),
        (("spec", "entries", 1, "failed"), None, False, "current"),
        (("spec", "entries", 9), None, False, "entries"),
        (("spec", "entries", "no"), None, True, "entries"),
        (("spec", "no", "deeper", 0), None, False, "spec"),
        (("spec", "block", "deeper"), None, False, "block"),
        (("no",), None, False, "base"),
        ((), None, True, "base"),
    ],
)  # fmt: skip
def test_source(path: Path, span: Span | None, on_key: bool, source: str) -> None:
    start, end = _LOCATOR.offsets(Where(1, path, span, on_key))
    assert _TEXT[start:end] == source


def test_places_are_counted_from_one() -> None:
    assert _LOCATOR.place(Where(1, ("base", "current"), Span(7, 8))) == LineRange(3, 26, 3, 32)
    assert _LOCATOR.source_line(3).endswith("# shared")
    assert (_LOCATOR.source_line(0), _LOCATOR.source_line(99)) == ("", "")


def test_a_whole_value_ends_with_its_last_character() -> None:
    assert _LOCATOR.place(Where(1, ("spec", "block"))) == LineRange(11, 10, 14, 10)
    assert _LOCATOR.place(Where(1, ("base",))).end_line == 4
    apart = Locator(read("a:\n  b: [1] # c\n\n# d\nc: 2\n"))
    assert apart.place(Where(1, ("a",))) == LineRange(2, 3, 2, 9)


def test_a_span_beyond_the_text_is_clamped() -> None:
    start, end = _LOCATOR.offsets(Where(1, ("base", "kind"), Span(0, 50)))
    assert _TEXT[start:end] == "A"


def test_a_broken_or_missing_document_is_where_it_begins() -> None:
    assert _LOCATOR.place(Where(2, ("second",))) == LineRange(16, 1, 16, 1)
    assert _LOCATOR.place(Where(7, ("a",))) == LineRange(1, 1, 1, 1)


def test_a_place_in_the_text_has_its_text() -> None:
    assert _LOCATOR.place(Where(source=Span(2, 3))) == LineRange(1, 3, 1, 4)


@pytest.mark.parametrize(
    "where",
    [
        Where(1, ("no",), Span(0, 1)),
        Where(1, ("spec",), Span(0, 1)),
        Where(1, ("base", "kind")),
        Where(2, ("second",), Span(0, 1)),
        Where(5, ("a",), Span(0, 1)),
    ],
)
def test_what_cannot_be_edited(where: Where) -> None:
    assert _LOCATOR.source_span(where) is None


def test_a_document_left_out_is_not_mistaken_for_another() -> None:
    manifest = read("a: 1\n---\nb: 2\n")
    assert manifest.document(2) is manifest.documents[1]
    assert manifest.document(0) is None
    rest = type(manifest)(manifest.name, manifest.text, manifest.documents[1:])
    assert rest.document(1) is None
    assert rest.document(2) is manifest.documents[1]


@examples(150)
@given(data=st.data())
def test_texts_in_texts_in_every_style(data: st.DataObject) -> None:
    """An expression in a patch in a patch: each code point is found through all three writings."""
    expression = data.draw(st.text("ab.=' \"é#", min_size=1, max_size=8))
    eol = data.draw(st.sampled_from(["\n", "\r\n"]))
    source = f"kind: K{eol}current: {json.dumps(expression, ensure_ascii=False)}{eol}"
    for _ in range(data.draw(st.integers(1, 2))):
        styles = ["single", "double", "literal", "folded"]
        style = STYLES[data.draw(st.sampled_from(styles))]
        normal = source.replace("\r\n", "\n")
        written = style(normal, lambda options: data.draw(st.sampled_from(options)), "      ", eol)
        source = f"patches:{eol}  - patch: {written or json.dumps(normal)}{eol}"
    manifest = read(source)
    *_, found = objects_in(manifest.documents[0])
    assert found.value["current"] == expression
    locator = Locator(manifest)
    last = 0
    for at, char in enumerate(expression):
        start, end = locator.source_span(found.place(("current",), Span(at, at + 1))) or (0, 0)
        assert last <= start < end
        piece = source[start:end]
        assert piece == char or "\\" in piece or char in " '"
        last = end
