r"""Character classes: `[a-z]`, `\d`, `\pL`, `[:alpha:]` (regexp/syntax, Go 1.26)."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from celvet.lint.go.regexp.tree import CharTest, RegexError
from celvet.lint.go.step_meter import UnsupportedError

Ranges = tuple[tuple[str, str], ...]

_DIGIT: Ranges = (("0", "9"),)
_SPACE: Ranges = (("\t", "\n"), ("\f", "\r"), (" ", " "))
WORD: Ranges = (("0", "9"), ("A", "Z"), ("_", "_"), ("a", "z"))
PERL = {"d": _DIGIT, "s": _SPACE, "w": WORD}

_UPPER: Ranges = (("A", "Z"),)
_LOWER: Ranges = (("a", "z"),)
POSIX: dict[str, Ranges] = {
    "alnum": (*_DIGIT, *_UPPER, *_LOWER),
    "alpha": (*_UPPER, *_LOWER),
    "ascii": (("\0", "\x7f"),),
    "blank": (("\t", "\t"), (" ", " ")),
    "cntrl": (("\0", "\x1f"), ("\x7f", "\x7f")),
    "digit": _DIGIT,
    "graph": (("!", "~"),),
    "lower": _LOWER,
    "print": ((" ", "~"),),
    "punct": (("!", "/"), (":", "@"), ("[", "`"), ("{", "~")),
    "space": (("\t", "\r"), (" ", " ")),
    "upper": _UPPER,
    "word": WORD,
    "xdigit": (*_DIGIT, ("A", "F"), ("a", "f")),
}

_CATEGORY_NAMES = (
    "C Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd "
    "Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs"
)
_CATEGORIES = frozenset(_CATEGORY_NAMES.split())


def in_ranges(ranges: Sequence[tuple[str, str]], *, negated: bool = False) -> CharTest:
    """The test for some ranges."""
    pairs = tuple(ranges)

    def test(char: str) -> bool:
        return any(low <= char <= high for low, high in pairs) != negated

    return test


def of_category(name: str, source: str, *, negated: bool) -> CharTest:
    r"""The test for the name in `\p{name}`; `whole` is all of it, for the error."""
    if name.startswith("^"):
        name, negated = name[1:], not negated
    if name == "Any":
        return lambda _: not negated
    if name in _CATEGORIES:
        return lambda char: unicodedata.category(char).startswith(name) != negated
    if name.isascii() and name[:1].isupper() and len(name) > 2:
        raise UnsupportedError(f"the script `{name}` in a regular expression")
    raise RegexError("invalid character class range", source)


def ignoring_case(test: CharTest) -> CharTest:
    """The test with no regard to case."""

    def either(char: str) -> bool:
        return any(test(form) for form in _case_forms(char))

    return either


def _case_forms(char: str) -> set[str]:
    forms = {char, char.lower(), char.upper()}
    if char in "kK\u212a":
        forms |= {"k", "K", "\u212a"}
    if char in "sS\u017f":
        forms |= {"s", "S", "\u017f"}
    return {form for form in forms if len(form) == 1}


def any_of(tests: Sequence[CharTest], *, negated: bool) -> CharTest:
    """The test that is passed where one of some tests is."""
    alternatives = tuple(tests)
    return lambda char: any(test(char) for test in alternatives) != negated
