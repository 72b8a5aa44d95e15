"""Texts as Gardener's Go code words them."""

from __future__ import annotations

from collections.abc import Sequence

_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
}


def quoted(text: str) -> str:
    """A text as Go's `%q` prints it."""
    return f'"{"".join(map(_escaped, text))}"'


def listed(details: Sequence[str]) -> str:
    """Details as sentences, numbered where there are several."""
    sentences = [detail if detail.endswith(".") else f"{detail}." for detail in details]
    if len(sentences) == 1:
        return sentences[0]
    return " ".join(f"{number}) {sentence}" for number, sentence in enumerate(sentences, start=1))


def checks(number: int) -> str:
    """The word for so many checks."""
    return "checks" if number > 1 else "check"


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    return (
        f"\\x{code:02x}"
        if code < 0x80
        else f"\\u{code:04x}"
        if code < 0x10000
        else f"\\U{code:08x}"
    )
