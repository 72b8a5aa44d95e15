"""Round trips: a text written in any style is read back, and every code point is found."""

from __future__ import annotations

import re

import pytest
import yaml
from hypothesis import event, given
from hypothesis import strategies as st

from celvet.lint.locate import Locator
from celvet.lint.manifest import read
from celvet.lint.model import Span, Where
from tests.locate.emit import OUTER, STYLES
from tests.properties import examples

_ALPHABET = "ab.é𝄞\"'\\#:,-/ \t\n"
_WILD = _ALPHABET + "\x07\x85\xa0\u2028\ufeff\x1b[]{}&*!%@`|>?\r"
_PIECES = st.sampled_from([*_ALPHABET, "word", "  ", "\n\n", "\n ", "a b", " c d", "x: y", "\t"])
_TEXTS = st.one_of(
    st.lists(_PIECES, max_size=14).map("".join),
    st.lists(st.sampled_from(["word", " ", "\n", "two words", "é"]), max_size=14).map("".join),
    st.text(_WILD, max_size=12),
)
_BREAKS = ["\n", "\r\n", "\r"]
_NEWLINE = re.compile(r"\r\n|\r|\n")


@st.composite
def files(draw: st.DrawFn, style: str) -> tuple[str, str] | None:
    """A text, and a file in which it stands at `outer.list[1].key` in the style."""
    eol = draw(st.sampled_from(_BREAKS))
    indent = OUTER + " " * draw(st.sampled_from([1, 2, 5]))
    text = draw(_TEXTS)

    def pick(options: list[str]) -> str:
        choice: str = draw(st.sampled_from(options))
        return choice

    scalar = STYLES[style](text, pick, indent, eol)
    prefix = draw(st.sampled_from(["", "&anchor ", "!!str ", "!Ref &a-1 "]))
    if style == "plain" and text and not prefix.startswith("!"):
        prefix = "!!str " + prefix
    if scalar is None:
        return None
    ending = "" if scalar.endswith(("\n", "\r")) else eol
    before = f"# é comment{eol}outer:{eol}  - first{eol}"
    after = f"  - third # 'end'{eol}"
    return text, f"{before}  - key: {prefix}{scalar}{ending}{after}"


@pytest.mark.parametrize("style", STYLES)
@examples(400)
@given(data=st.data())
def test_every_code_point_is_found(style: str, data: st.DataObject) -> None:
    written = data.draw(files(style))
    event(f"{style} {'cannot say it' if written is None else 'written'}")
    if written is None:
        return
    text, source = written
    _check(text, source, ("outer", 1, "key"), style)


@examples(400)
@given(
    text=_TEXTS,
    style=st.sampled_from(["'", '"', "|", ">", None]),
    width=st.sampled_from([5, 20, 1000]),
    unicode=st.booleans(),
)
def test_what_pyyaml_writes(text: str, style: str | None, width: int, unicode: bool) -> None:
    source = yaml.dump(
        {"a": ["x", {"key": text}]}, default_style=style, width=width, allow_unicode=unicode
    )
    expected = yaml.load(source, Loader=yaml.CBaseLoader)["a"][1]["key"]
    node = read(source).documents[0].node_at(("a", 1, "key"))
    assert node is not None
    _check(expected, source, ("a", 1, "key"), node.style)


def _check(text: str, source: str, path: tuple[str | int, ...], style: str) -> None:
    manifest = read(source)
    refused = {"bad-value"} if "\\/" in source else set()
    assert {each.kind for each in manifest.all_problems()} <= {"unknown-tag"} | refused, source
    node = manifest.documents[0].node_at(path)
    assert node is not None
    assert (node.text, node.style) == (text, style), source
    locator = Locator(manifest)
    last = node.start
    for at, char in enumerate(text):
        where = Where(1, path, Span(at, at + 1))
        start, end = span = locator.source_span(where) or pytest.fail("no span")
        assert span == locator.offsets(where)
        assert last <= start < end <= node.end
        assert _writes(source[start:end], char, style), (source, source[start:end], char)
        place = locator.place(where)
        assert (place.line, place.column) == _naive(source, start)
        assert (place.end_line, place.end_column) == _naive(source, end)
        last = end


def _writes(piece: str, char: str, style: str) -> bool:
    """Whether a piece of source stands for a character, by independent rules."""
    if piece == char:
        return True
    if char == " " and not piece.strip():
        return len(re.findall(f"{_NEWLINE.pattern}|[\x85\u2028\u2029]", piece)) == 1
    if char == "\n" and piece in ("\r\n", "\r", "\x85"):
        return True
    if style == "single":
        return piece == "''" and char == "'"
    return _unescaped(piece, char, style)


def _unescaped(piece: str, char: str, style: str) -> bool:
    return style == "double" and piece[0] == "\\" and yaml.safe_load(f'"{piece}"') == char


def _naive(source: str, offset: int) -> tuple[int, int]:
    lines = _NEWLINE.split(source[:offset])
    return len(lines), len(lines[-1]) + 1


@pytest.mark.parametrize(
    ("scalar", "text", "pieces"),
    [
        ("'x \u2028  y'", "x\u2028y", ["x", "\u2028", "y"]),
        ('"x\u2029 \n y"', "x\u2029\ny", ["x", "\u2029", "\n", "y"]),
        ("x\u2028  y", "x\u2028y", ["x", "\u2028", "y"]),
        (">-\n  x\u2028  y\n", "x\u2028y", ["x", "\u2028", "y"]),
        ("|-\n  x\x85  y\n", "x\ny", ["x", "\x85", "y"]),
        ('"x\\\n\n  y"', "x\ny", ["x", "\n", "y"]),
        ('"\\x41\\\t\\/"', "A\t/", ["\\x41", "\\\t", "\\/"]),
    ],
)
def test_breaks_and_escapes_of_yaml_1_1(scalar: str, text: str, pieces: list[str]) -> None:
    source = f"a: {scalar}"
    locator = Locator(read(source))
    spans = (locator.offsets(Where(1, ("a",), Span(at, at + 1))) for at in range(len(text)))
    assert read(source).documents[0].value == {"a": text}
    assert [source[start:end] for start, end in spans] == pieces


@pytest.mark.parametrize(
    ("scalar", "offset"),
    [("|", 4), ("|-\n\n\n", 6), ("|\n\n", 5), (">+ # c\n", 10), ("''", 4), ("", 2)],
)
def test_a_point_in_an_empty_text(scalar: str, offset: int) -> None:
    locator = Locator(read(f"a: {scalar}"))
    assert locator.offsets(Where(1, ("a",), Span(0, 0))) == (offset, offset)


@pytest.mark.parametrize("style", STYLES)
@examples(60)
@given(data=st.data())
def test_a_point_after_the_text_is_on_its_last_line(style: str, data: st.DataObject) -> None:
    written = data.draw(files(style))
    if written is None or not written[0].strip("\n"):
        return
    text, source = written
    locator = Locator(read(source))
    path = ("outer", 1, "key")
    visible = len(text.rstrip("\n"))
    last = locator.offsets(Where(1, path, Span(visible - 1, visible)))
    for end in (len(text), len(text) + 7):
        point = locator.offsets(Where(1, path, Span(end, end)))
        assert point.start == point.end
        # there may be an escaped line break between the two
        assert point.start == last.end or (style == "double" and source[last.end] == "\\")
