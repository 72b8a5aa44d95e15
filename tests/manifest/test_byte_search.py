"""The prefilter never misses a word that parsing would find."""

from __future__ import annotations

import codecs
import json

import pytest
import yaml
from hypothesis import event, given
from hypothesis import strategies as st

from celvet.lint.manifest import read
from celvet.lint.manifest.source.byte_search import may_hold, words
from celvet.lint.manifest.yaml.node import walk
from tests.locate.emit import STYLES
from tests.properties import examples

_WORDS = ["healthCheckExprs", "kustomize.toolkit.fluxcd.io", "carto.run/v1alpha1", "Plain"]
_PATTERN = words(_WORDS)
_ENCODINGS = {
    "utf-8": b"",
    "utf-8-sig": b"",
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}


@st.composite
def _files(draw: st.DrawFn) -> bytes:
    """A file in which one of the words is a scalar or part of one, written somehow."""
    word = draw(st.sampled_from(_WORDS))
    text = draw(st.sampled_from(["{}", "{} and", "a {}", "a\n{}\n", "é{}"])).format(word)
    source: str = draw(st.one_of(_own(text), _pyyaml(text), _json(text), _substituted(text)))
    encoding = draw(st.sampled_from(sorted(_ENCODINGS)))
    return _ENCODINGS[encoding] + source.encode(encoding)


@st.composite
def _own(draw: st.DrawFn, text: str) -> str:
    style = draw(st.sampled_from(sorted(STYLES)))
    eol = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    written = STYLES[style](text, lambda options: draw(st.sampled_from(options)), "      ", eol)
    return f"a:{eol}  - b: {written or json.dumps(text)}{eol}"


@st.composite
def _pyyaml(draw: st.DrawFn, text: str) -> str:
    style = draw(st.sampled_from([None, "'", '"', "|", ">"]))
    value = draw(st.sampled_from([{"a": [text]}, {text: 1}, {"a": {"b": [{text: text}]}}]))
    width = draw(st.sampled_from([2, 10, 80]))
    return yaml.dump(value, default_style=style, width=width, allow_unicode=draw(st.booleans()))


@st.composite
def _json(draw: st.DrawFn, text: str) -> str:
    written = json.dumps(text, ensure_ascii=draw(st.booleans())).replace("/", "\\/")
    forms = {char: f"\\u{ord(char):04x}" for char in "aHK./"}
    at = draw(st.integers(0, len(written)))
    head, tail = written[:at], written[at:]
    if draw(st.booleans()) and not head.endswith("\\"):
        tail = "".join(forms.get(char, char) for char in tail) if "\\" not in tail else tail
    return '{"a": [' + head + tail + "]}"


@st.composite
def _substituted(draw: st.DrawFn, text: str) -> str:
    at = draw(st.integers(1, len(text) - 1))
    head, tail = json.dumps(text[:at])[1:-1], json.dumps(text[at:])[1:-1]
    return f'a: "{head}${{X:={tail}}}"\n'


@examples(400)
@given(_files())
def test_no_word_is_missed(data: bytes) -> None:
    texts = [node.text for document in read(data).documents for node in walk(document.root)]
    held = any(word in text for word in _WORDS for text in texts)
    event("held" if held else "not held")
    if held:
        assert may_hold(data, _PATTERN)


@pytest.mark.parametrize(
    "data",
    [
        b"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: plain}\n",
        b'{"kind": "ConfigMap", "data": {"a": "line\\nline \\"x\\""}}',
        b"a: |\n  grep -E '\\d+' file\n",
        b"",
    ],
)
def test_other_files_are_dismissed(data: bytes) -> None:
    assert not may_hold(data, _PATTERN)


@pytest.mark.parametrize("word", ["", "two words", 'a"b', "a\\b", "é"])
def test_words_that_bytes_could_hide_are_refused(word: str) -> None:
    with pytest.raises(ValueError, match="cannot look for"):
        words([word])


def test_no_words_are_nowhere() -> None:
    assert not may_hold(b"anything", words([]))
