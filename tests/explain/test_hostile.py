"""In no format is text of a manifest markup, or shown in a wrong place."""

from __future__ import annotations

import json
import re

import pytest

from celvet.lint.engine import lint_text
from celvet.lint.explain.output import FORMATS
from celvet.lint.explain.pages import pages
from celvet.lint.prose import pieces

_TYPE = "R|`y</td><script>日本"
_TITLE = "[l](javascript:1)`x`**b**<i>&lt;\\[/b]"
_MANIFEST = json.dumps(
    {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": _TITLE},
        "spec": {
            "wait": True,
            "healthCheckExprs": [
                {
                    "apiVersion": "x.io/v1",
                    "kind": "X\u202e[/red]\x1b[31m",
                    "failed": f"status.conditions.filter(e, e.type == '{_TYPE}')"
                    ".all(e, e.status == 'False')",
                    "current": "status.x == '\\u202e\\u0007' || status.z == '**b**\u2066'",
                }
            ],
        },
    }
)


@pytest.fixture(params=FORMATS.names())
def rendered(request: pytest.FixtureRequest) -> str:
    found = list(pages(lint_text(_MANIFEST)))
    return FORMATS.renderer(request.param)(found, False)


def test_nothing_in_it_moves_what_is_shown(rendered: str) -> None:
    assert "example" in rendered or "object" in rendered
    assert not {char for char in rendered if not char.isprintable() and char != "\n"}


def test_a_type_with_a_backquote_is_one_piece_of_code() -> None:
    found = list(pages(lint_text(_MANIFEST)))
    in_markdown = FORMATS.renderer("markdown")(found, False)
    code = _TYPE.replace("|", r"\|")
    cells = f"| whose condition `` {code} `` is `False` | true | false | Failed |"
    assert cells in re.sub(" +", " ", in_markdown)
    assert (
        r"Kustomization \[l\](javascript:1)\`x\`\*\*b\*\*&lt;i>&amp;lt;\\\[/b\], `spec"
        in in_markdown
    )
    in_html = FORMATS.renderer("html")(found, False)
    escaped = _TYPE.replace("<", "&lt;").replace(">", "&gt;")
    assert f"whose condition <code>{escaped}</code> is <code>False</code>" in in_html


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("plain", [("plain", False)]),
        ("`a` is `b`.", [("a", True), (" is ", False), ("b", True), (".", False)]),
        (
            "is `a`b` (`c`)",
            [("is ", False), ("a`b", True), (" (", False), ("c", True), (")", False)],
        ),
        ("an odd ` one", [("an odd ` one", False)]),
        ("`a\n  b`", [("a b", True)]),
    ],
)
def test_what_a_message_quotes(text: str, expected: list[tuple[str, bool]]) -> None:
    assert list(pieces(text)) == expected
