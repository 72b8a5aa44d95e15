"""Texts of users made fit for the formats of machines, whatever characters they hold."""

from __future__ import annotations

import json
import re
from typing import Any

_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    """The text without the characters that XML cannot hold."""
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def json_text(document: Any) -> str:
    """One JSON document on indented lines; a file name that is no text is shown with `?`."""
    return unicode_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def unicode_text(text: str) -> str:
    """The text with `?` for the bytes of a file name that are no UTF-8."""
    return text.encode(errors="replace").decode()


def terminal_text(text: str) -> str:
    """The text without what would move the cursor or change the terminal."""
    return "".join(
        char if char == "\t" or char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text
    )
