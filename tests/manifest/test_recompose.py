"""Parts reused from an earlier text equal the result of reading the whole new one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.manifest import Manifest, read
from celvet.lint.manifest.yaml import recompose
from celvet.lint.manifest.yaml.node import YamlNode
from tests.properties import examples

_TEXT = """\
kind: List # of things
spec:
  entries:
    - name: one
      text: >-
        a == 'b' &&
        c

    # about the second
    - name: "two"
      inner:
      - x: 1
      - - y
        - z: |+
            kept

      - last
    -
      name: three # the end

    # after the list
  more: {flow: [1, 2]}
  list:
  - a
  - b: &c {d: e}
  - f: |
      g
tail:
- 1
- h: i
   # deeper
   # than that
"""
_PIECES = (
    *(
        "x",
        " ",
        "\n",
        "- ",
        "\n    - ",
        "\n  - k: v\n",
        ": ",
        ":",
        "#",
        " # ",
        "'",
        '"',
        "|",
        ">-\n",
    ),
    *(
        "|+\n",
        "&c ",
        "*c",
        "<<: ",
        "{",
        "]",
        "!t ",
        "\t",
        "\r",
        "\u2028",
        "---\n",
        "...\n",
        "? ",
        "\\",
    ),
    *("name: one\n", "      ", "\n\n", "${V}", "%"),
)


def _told(manifest: Manifest) -> list[Any]:
    """All content of a manifest, with the content of its nodes."""
    documents = [
        (each.index, each.start, each.end, _nodes(each.root), repr(each.value), each.problems)
        for each in manifest.documents
    ]
    return [manifest.text, manifest.problems, documents]


def _nodes(node: YamlNode | None) -> Any:
    if node is None:
        return None
    shape = (node.kind, node.style, node.start, node.end, node.tag, node.anchor, node.text)
    pairs = [(_nodes(key), _nodes(value)) for key, value in node.pairs]
    entries = [(name, key.start, value.start) for name, (key, value) in node.entries.items()]
    target = node.target.start if node.target else None
    return shape, [_nodes(each) for each in node.items], pairs, entries, target


@examples(150)
@given(st.data())
def test_an_edited_text_reads_as_a_new_one(data: st.DataObject) -> None:
    text, manifest = _TEXT, read(_TEXT)
    for _ in range(3):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(start + 30, len(text))))
        piece = "".join(data.draw(st.lists(st.sampled_from(_PIECES), max_size=3)))
        text = text[:start] + piece + text[end:]
        manifest = read(text, earlier=manifest)
        assert _told(manifest) == _told(read(text))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: one", "name: once"),
        ("c\n", "c && d\n"),
        ("x: 1", "x: 1\n        w: 2"),
        ("kept", "kept and more"),
        ("- last", "- least"),
        ("three", "3"),
        ("      g\n", "      g h\n"),
        ("      inner:", "    - name: new\n      inner:"),
    ],
)
def test_what_is_as_before_is_not_parsed(
    old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    composer = recompose.Composer

    class Counted(composer):
        def __init__(self, written: Any, *args: Any, **options: Any) -> None:
            parsed.append(written.own)
            super().__init__(written, *args, **options)

    monkeypatch.setattr(recompose, "Composer", Counted)
    earlier, text = read(_TEXT), _TEXT.replace(old, new, 1)
    found = read(text, earlier=earlier)
    (part,) = parsed
    assert len(part) < len(text) / 2
    assert found.documents[0].value["kind"] is earlier.documents[0].value["kind"]
    assert found.documents[0].value["spec"]["more"] is earlier.documents[0].value["spec"]["more"]
    assert _told(found) == _told(read(text))
