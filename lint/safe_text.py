"""Makes users' texts and objects safe to print, whatever they hold."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

_NO_XML = "[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"


def xml_text(text: str) -> str:
    """The text without the characters that XML cannot hold."""
    return re.sub(_NO_XML, "\N{REPLACEMENT CHARACTER}", text)


def one_line(text: str, limit: int = 60) -> str:
    """The text on one line, each run of blanks as one space; cut to `limit` characters.

    A text that is cut ends in `...`. Reads no more of a long text than it shows.
    """
    # Each word has a character, so that `limit` words are enough.
    line = " ".join(text.split(maxsplit=limit)[:limit])
    return line if len(line) <= limit else f"{line[: limit - 3]}..."


def quoted(text: str) -> str:
    """The text between backquotes, as messages quote users: on one line and cut."""
    plain = one_line(text).replace("`", "'")
    return f"`{plain}`"


def json_text(document: Any) -> str:
    """One JSON document on indented lines; a file name that is no text is shown with `?`."""
    return unicode_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def unicode_text(text: str) -> str:
    """The text with `?` for the bytes of a file name that are no UTF-8."""
    return text.encode(errors="replace").decode()


def yaml_text(document: Any, **layout: Any) -> str:
    """A document in YAML, keys as they come, every value written out wherever it stands.

    An anchor and its aliases would only puzzle who reads on, or copies a part.
    `layout` has more options of `yaml.dump`.
    """
    import yaml

    text: str = yaml.dump(document, Dumper=_dumper(), sort_keys=False, **layout)
    return text


@cache
def _dumper() -> Any:
    """The dumper of libyaml, if it is there; it writes every value out."""
    import yaml

    base = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    return type("WholeDumper", (base,), {"ignore_aliases": lambda _, __: True})


def terminal_text(text: str) -> str:
    """The text without what would move the cursor or change the terminal."""
    return "".join(
        char if char == "\t" or char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text
    )
