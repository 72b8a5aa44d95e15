"""Where the output comes from, and where errors are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.gotemplate import ErrorKind, SourceSpan, TemplateError, parse

TEXTS = st.text(alphabet="ab \n\té日😀<>-:", max_size=8)
ACTIONS = st.sampled_from(
    [
        "<< inputs.name >>",
        "<<- inputs.name >>",
        "<< inputs.name ->>",
        "<</* note */>>",
        "<< $x := 1 >>",
        "<< if inputs.on >>yes é<< else >>no<< end >>",
        "<< range inputs.tags >> - << . >>\n<< end >>",
        "<< with inputs.name >><< . >><<- end >>",
        '<< define "t" >>T<< . >><< end >>',
        '<< block "b" 1 >>B<< . >><< end >>',
        '<< "é" | trunc 1 >><< "é" | substr 1 2 >>',
        '<< "" >>',
    ]
)
INPUTS = {"name": "né", "on": True, "tags": ["a", "b"]}


@given(st.lists(st.one_of(TEXTS, ACTIONS), max_size=8))
def test_every_character_has_its_source(parts: list[str]) -> None:
    source = "".join(parts)
    try:
        rendered = parse(source).execute(INPUTS)
    except TemplateError:
        return
    offset = 0
    for segment in rendered.segments:
        assert segment.start == offset < segment.end
        offset = segment.end
        written = rendered.text[segment.start : segment.end]
        text = source[segment.source.start : segment.source.end]
        if segment.action is None:
            assert segment.literal
            assert text == written
        else:
            action = source[segment.action.start : segment.action.end]
            assert action.startswith("<<")
            assert action.endswith(">>")
            assert text in action
    assert offset == len(rendered.text)
    for place, char in enumerate(rendered.text):
        segment = rendered.at(place)
        assert segment is not None
        assert segment.start <= place < segment.end
        if segment.literal:
            assert source[rendered.source_offset(place)] == char


def test_an_offset_in_an_action_is_where_the_action_begins() -> None:
    rendered = parse("a: <<- inputs.name >>é").execute(INPUTS)
    assert rendered.text == "a:néé"
    assert [rendered.source_offset(offset) for offset in range(6)] == [0, 1, 3, 3, 21, 22]


def test_a_span_reaches_over_all_that_wrote_it() -> None:
    source = "ab<< inputs.name >>cd"
    rendered = parse(source).execute(INPUTS)
    assert rendered.source_span(0, 1) == SourceSpan(0, 1)
    assert rendered.source_span(1, 3) == SourceSpan(1, 19)
    assert rendered.source_span(3, 5) == SourceSpan(2, 20)
    assert rendered.source_span(6, 6) == SourceSpan(21, 21)


def test_an_empty_output_has_no_segment() -> None:
    rendered = parse("<< $x := 1 >>").execute(INPUTS)
    assert (rendered.text, rendered.segments, rendered.at(0)) == ("", (), None)
    assert rendered.source_offset(0) == 0


def test_half_characters_are_joined() -> None:
    rendered = parse('<< "é" | trunc 1 >><< "é" | substr 1 2 >>').execute(INPUTS)
    assert rendered.text == "é"
    assert len(rendered.segments) == 1


@pytest.mark.parametrize(
    ("source", "kind", "line", "column", "text"),
    [
        ("é\n é << nope 1 >>", ErrorKind.SYNTAX, 2, 7, "nope"),
        ("<< $x >>", ErrorKind.SYNTAX, 1, 4, "$x"),
        ("a\n<< if true >>\n<< 08 >>", ErrorKind.SYNTAX, 3, 4, "08"),
        ('<< "abc >>', ErrorKind.SYNTAX, 1, 4, '"abc >>'),
        ("<< inputs.name.x >>", ErrorKind.EXECUTION, 1, 4, "inputs.name.x"),
        ("\n é<< upper (1) >>", ErrorKind.EXECUTION, 2, 13, "1"),
        ("<< inputs.gone | upper >>", ErrorKind.EXECUTION, 1, 4, "inputs.gone"),
        ("<< index inputs.tags 9 >>", ErrorKind.EXECUTION, 1, 4, "index inputs.tags 9"),
        ('x<< template "t" >>', ErrorKind.EXECUTION, 1, 14, '"t"'),
        ("<< ago 1 >>", ErrorKind.UNSUPPORTED, 1, 4, "ago 1"),
    ],
)
def test_errors_say_where(source: str, kind: ErrorKind, line: int, column: int, text: str) -> None:
    with pytest.raises(TemplateError) as caught:
        parse(source).execute(INPUTS)
    error = caught.value
    assert (error.kind, error.line, error.column) == (kind, line, column)
    assert source[error.span.start : error.span.end] == text
