from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from celvet.lint.lsp.state.positions import EditorText
from celvet.lint.model import Span

_TEXTS = st.text(alphabet="ab: \n\r\u00e4\u2028\x0b\U0001f388\u4e2d", max_size=40)
_ENCODINGS = st.sampled_from(list(lsp.PositionEncodingKind))
_BYTES = {"utf-8": 1, "utf-16": 2, "utf-32": 4}


@given(_TEXTS, _ENCODINGS, st.data())
def test_there_and_back(text: str, encoding: lsp.PositionEncodingKind, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    if text[offset - 1 : offset + 1] == "\r\n":
        return  # no position is between the two
    found = EditorText(text, encoding)
    position = found.position(offset)
    assert found.offset(position) == offset
    lines = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert position.line == len(lines) - 1
    codec = f"{encoding.value}-le" if encoding.value != "utf-8" else "utf-8"
    assert position.character * _BYTES[encoding.value] == len(lines[-1].encode(codec))


@given(_TEXTS, _TEXTS, _ENCODINGS, st.data())
def test_a_change_of_a_range(
    text: str, added: str, encoding: lsp.PositionEncodingKind, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if "\r\n" in (text[start - 1 : start + 1], text[end - 1 : end + 1]):
        return
    found = EditorText(text, encoding)
    change = lsp.TextDocumentContentChangePartial(found.range(Span(start, end)), added)
    assert found.changed(change).text == text[:start] + added + text[end:]


@pytest.mark.parametrize("encoding", list(lsp.PositionEncodingKind))
def test_positions_that_do_not_exist(encoding: lsp.PositionEncodingKind) -> None:
    found = EditorText("a\U0001f388b\nc", encoding)
    assert found.offset(lsp.Position(0, 99)) == 3
    assert found.offset(lsp.Position(9, 0)) == len(found.text)
    # a position inside the balloon means the one before it; UTF-32 has none inside
    inside = {"utf-32": 2}.get(encoding.value, 1)
    assert found.offset(lsp.Position(0, 2)) == inside


def test_everything_is_replaced() -> None:
    found = EditorText("a", lsp.PositionEncodingKind.Utf8)
    after = found.changed(lsp.TextDocumentContentChangeWholeDocument("b"))
    assert (after.text, after.encoding) == ("b", lsp.PositionEncodingKind.Utf8)
