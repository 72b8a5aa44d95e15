"""Makes users' texts and objects safe to print, whatever they contain."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from celvet.regex import compiled_later

_NO_XML = "[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
INVISIBLE = (
    "\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f"
)
"""Characters that show nothing or reorder others, for a class of a pattern: a text with them reads
otherwise than it is (Unicode Technical Report 36, section 2.10.4)."""


def xml_text(text: str) -> str:
    """The text without the characters that XML does not allow, and without invisible ones."""
    return re.sub(f"{_NO_XML}|[{INVISIBLE}]", "\N{REPLACEMENT CHARACTER}", text)


def one_line(text: str, limit: int = 60) -> str:
    """The text on one line, each run of blanks as one space; cut to `limit` characters.

    A text that is cut ends in `...`. Of a long text, only the shown part is read.
    """
    # each word has at least one character, so `limit` words are enough
    line = " ".join(text.split(maxsplit=limit)[:limit])
    return line if len(line) <= limit else f"{line[: limit - 3]}..."


def in_backquotes(text: str) -> str:
    """The text between backquotes, as messages quote users: on one line and cut."""
    plain = one_line(text).replace("`", "'")
    return f"`{plain}`"


def enumeration(names: Sequence[str], word: str) -> str:
    """Names in backquotes, with `and` or `or`, the `word`, before the last: "`a`, `b` and `c`"."""
    *quotations, last_quotation = (f"`{name}`" for name in names)
    return f"{', '.join(quotations)} {word} {last_quotation}" if quotations else last_quotation


def json_text(document: Any) -> str:
    """An indented JSON document, with invisible characters as escapes.

    Bytes of a file name that are not UTF-8 become `?`.
    """
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    return unicode_text(re.sub(f"[{INVISIBLE}]", lambda char: json.dumps(char[0])[1:-1], text))


def unicode_text(text: str) -> str:
    """The text with `?` for the bytes of a file name that are not UTF-8."""
    return text.encode(errors="replace").decode()


def yaml_text(document: Any, **layout: Any) -> str:
    """A document in YAML, with keys in their order and without anchors.

    Anchors and aliases would puzzle the reader, and break when a part is copied. `layout` has more
    options of `yaml.dump`.
    """
    with compiled_later():
        import yaml  # a run with a full cache does not need yaml

    text: str = yaml.dump(document, Dumper=_dumper(), sort_keys=False, **layout)
    return text


@cache
def _dumper() -> Any:
    """The dumper of libyaml, if it is installed, without aliases."""
    import yaml

    base = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    return type("WholeDumper", (base,), {"ignore_aliases": lambda _, __: True})


def terminal_text(text: str) -> str:
    """The text without characters that move the cursor or change the terminal."""
    return "".join(
        char if char == "\t" or char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text
    )
