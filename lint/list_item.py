"""An entry as an item of a list in YAML, ready to paste."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from celvet.lint.safe_text import yaml_text
from celvet.regex import regex

WIDTH = 100
"""The columns of a line, where a text can be broken."""

_UNBROKEN = 1_000_000
_QUOTED = regex(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*["]""")
_BLANK_MARK = "\0"
"""Stands for a blank where a line is not to break: within the quotes of an expression."""


def item(fields: Mapping[str, str]) -> Iterator[str]:
    """The lines of an entry as an item of a list."""
    for number, (key, text) in enumerate(fields.items()):
        yield from _field(f"{'  ' if number else '- '}{key}:", text)


def block(value: Any) -> Iterator[str]:
    """The lines of a mapping or list in block style, with its texts on lines that can be read."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            name = yaml_text(key).removesuffix("...\n").rstrip("\n")
            yield from _nested(f"{name}:", part)
    else:
        for part in value:
            if isinstance(part, Mapping):
                for number, line in enumerate(block(part)):
                    yield f"{'  ' if number else '- '}{line}"
            else:
                yield from _nested("-", part)


def _nested(key: str, value: Any) -> Iterator[str]:
    """The lines of a key and what it has."""
    if isinstance(value, str) and "\n" in value:
        yield f"{key} |"
        yield from (f"  {line}".rstrip() for line in value.splitlines())
    elif isinstance(value, str):
        yield from _field(key, value, "  ")
    elif isinstance(value, Mapping | list) and value:
        yield key
        yield from (f"  {line}" for line in block(value))
    else:
        yield f"{key} {yaml_text(value).splitlines()[0]}"


def _field(key: str, text: str, indent: str = "    ") -> Iterator[str]:
    """A key with its text: on one line if that is short, else folded where blanks are."""
    plain = yaml_text(text, width=_UNBROKEN, allow_unicode=True).removesuffix("...\n").rstrip("\n")
    lines = folded_lines(text, WIDTH - 4)
    if len(key) + len(plain) < WIDTH or not lines:
        yield f"{key} {plain}"
    else:
        yield f"{key} >-"
        yield from (f"{indent}{line}" for line in lines)


def folded_lines(text: str, width: int) -> list[str]:
    """The lines of a folded block; none if folding would change the text."""
    line = _QUOTED.sub(lambda match: match[0].replace(" ", _BLANK_MARK), text)
    wrapped_lines = textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)
    lines = [wrapped_line.replace(_BLANK_MARK, " ") for wrapped_line in wrapped_lines]
    return lines if " ".join(lines) == text and text.isprintable() else []
