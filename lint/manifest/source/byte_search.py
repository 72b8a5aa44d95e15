r"""Dismisses files by their bytes, before anything is parsed.

Sound, never exact: `may_hold` is true for every file in which reading could
find one of the words as part of a scalar. A word is hidden from a search of
the bytes only by an encoding other than UTF-8, by an escape in double quotes
(`\x4b`, `\u004b`, `\/`, an escaped line break), or by a substitution that puts
it together.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable

from celvet.regex import regex

_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_HIDING = regex(rb"\\[xuU/\r\n\xc2\xe2]|\$\{")
_WORD = regex(r"[A-Za-z0-9./_-]+")


def words(literals: Iterable[str]) -> tuple[bytes, ...]:
    """Encode the words to look for, but for those in which another one stands.

    Raises:
        ValueError: for a word with other than letters, digits, `.`, `/`, `_`
            and `-`: line folding and simple escapes could hide it.

    """
    sorted_words = sorted(set(literals))
    for word in sorted_words:
        if not _WORD.fullmatch(word):
            raise ValueError(f"cannot look for {word!r} in bytes")
    shortest = [word for word in sorted_words if sum(part in word for part in sorted_words) == 1]
    return tuple(word.encode() for word in shortest)


def may_hold(data: bytes, words: Iterable[bytes]) -> bool:
    """Whether a file may hold one of the words; False is certain, True is not.

    A search for one word after the other is four times as fast as one for a
    pattern of them all, and works on a file that is mapped.
    """
    for word in words:  # `any` takes twice as long
        if data.find(word) >= 0:
            return True
    return data[:4].startswith(_MARKS) or (
        (data.find(b"\\") >= 0 or data.find(b"${") >= 0) and _HIDING.search(data) is not None
    )
