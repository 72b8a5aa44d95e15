"""The size of the program of a regular expression, estimated without compiling it."""

from __future__ import annotations

from celvet.regex import regex

MOST = 350_000
"""The most instructions: RE2 gives up on a pattern whose program needs more than 8 MB."""

_REPEATS = 1000
"""RE2 refuses more repetitions than this, nested ones multiplied."""

_COUNTS = regex(r"\{(\d{0,4})(?:,(\d{0,4}))?\}")
_ENDLESS = regex(r"[*+|]|\{\d*,\}")
_UNICODE = regex(r"\\[pP]")
_WIDE = regex(r"\[|\.|\(\?|\\[DSW]")


def ends_early(pattern: str) -> bool:
    """Whether a search reads no more characters than the pattern has instructions.

    That is so if it is anchored and has no unlimited repetition.
    """
    return pattern.startswith("^") and not _ENDLESS.search(pattern)


def instructions(pattern: str) -> int:
    """An upper bound, nearly always, of the instructions that RE2 makes of a pattern.

    A character counts as one, a class of a few ranges in UTF-8 as up to twenty, a Unicode class as
    700. All repetitions count as nested.
    """
    unicode, wide = len(_UNICODE.findall(pattern)), len(_WIDE.findall(pattern))
    repeats = 1
    for least, most in _COUNTS.findall(pattern):
        repeats = min(repeats * max(int(least or 1), int(most or 1), 1), _REPEATS)
    return min((2 * len(pattern) + 700 * unicode + 20 * wide) * repeats, MOST)
