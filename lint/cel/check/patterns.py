r"""Whether Go compiles a regular expression, which the engine gives to RE2's own library.

Go's package (`regexp/syntax`, Go 1.26) takes the same syntax but for what stands here: it has no
`\C` and demands ASCII in the names of groups. It knows more names of classes from Go 1.25 on, and
has other limits on the size: there nothing is said.
"""

from __future__ import annotations

import re
from functools import lru_cache

from celvet.lint.cel.compat.builder import TreeBuilder
from celvet.lint.cel.engine import environment as engine
from celvet.regex import regex

_PART = regex(
    r"\\Q.*?(?:\\E|\Z)|\\(?P<escape>.)|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\(\?P?<(?P<group>\w*)>",
    re.DOTALL,
)
_RE2_ONLY = regex(r"pattern too large|invalid character class range: \\[pP]")
"""Errors of RE2's library that Go's may not have."""


@lru_cache(maxsize=256)
def pattern_error(pattern: str) -> str:
    """The error of a regular expression; empty if it compiles.

    Raises `BeyondLimits` if that depends on the Go that the controller was built with.
    """
    for part in _PART.finditer(pattern):
        if part["escape"] == "C":
            return "invalid escape sequence: `\\C`"
        if part["group"] and not part["group"].isascii():
            return f"invalid named capture: `{part[0]}`"
    build = TreeBuilder()
    call = build.call("matches", build.text(""), build.text(pattern))
    try:
        engine.load(call, ()).run(engine.view({}, ()))
    except engine.Failed as error:
        if _RE2_ONLY.search(str(error)):
            raise engine.BeyondLimits("Go may compile its regular expressions") from None
        return str(error)
    return ""
