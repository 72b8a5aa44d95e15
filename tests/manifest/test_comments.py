"""Comments are found, and text that only looks like one is not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.manifest import comments, read
from tests.locate.emit import STYLES
from tests.properties import examples


def _found(text: str) -> list[tuple[str, bool]]:
    return [(comment.text, comment.own_line) for comment in comments(read(text))]


def test_where_comments_stand() -> None:
    text = (
        "# top\n%YAML 1.1\n--- # marker\na: 1 # behind\n  # deep\nb: [x, # flow\n  y]#yes\n"
        "c: &d # anchor\n  e\nf: | # header\n  # text\n# end\r\n... # closed\n"
    )
    assert _found(text) == [
        ("# top", True),
        ("# marker", False),
        ("# behind", False),
        ("# deep", True),
        ("# flow", False),
        ("#yes", False),
        ("# anchor", False),
        ("# header", False),
        ("# end", True),
        ("# closed", False),
    ]


def test_what_is_not_a_comment() -> None:
    text = "a: b#c\nd: 'x # y'\ne: \"x\n  # y\"\nf: |\n  # z\n\n  # z\ng: >-\n  # z\n'#k': http://x/#y\n"
    assert _found(text) == []


def test_each_comment_knows_its_document_and_place() -> None:
    text = "a: 1\n---\nb: é # c\n"
    [comment] = comments(read(text))
    assert (comment.document, comment.start) == (2, text.index("#"))


def test_in_a_broken_document_the_first_of_each_line_counts() -> None:
    text = "# v\na#b: [ # w # x\n---\nb: 1 # y\n"
    assert _found(text) == [("# v", True), ("# w # x", False), ("# y", False)]


@examples(300)
@given(data=st.data())
def test_no_scalar_holds_a_comment(data: st.DataObject) -> None:
    style = data.draw(st.sampled_from(sorted(STYLES)))
    text = data.draw(st.lists(st.sampled_from(["#", " # ", "a", "'", '"', "\n", "|"])).map("".join))
    written = STYLES[style](
        text, lambda options: data.draw(st.sampled_from(options)), "     ", "\n"
    )
    if written is None:
        return
    source = f"# é\na:\n  - b: {written}\n  - c # end\n"
    header = ["# note: 'x'"] if written.split("\n")[0].endswith("# note: 'x'") else []
    assert [found for found, _ in _found(source)] == ["# é", *header, "# end"]
