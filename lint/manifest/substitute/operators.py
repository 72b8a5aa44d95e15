"""The operators of `${VAR}`; lengths and positions count bytes of UTF-8."""

from __future__ import annotations

import re
from collections.abc import Callable

from celvet.regex import regex


def apply(operator: str, value: str, arguments: list[str]) -> str:
    """The value as an operator with evaluated arguments changes it.

    The default operators are not here: their arguments are evaluated only
    where they are used. What is not an operator leaves the value alone.
    """
    if operator == "#" and not arguments:
        return str(len(value.encode()))
    function = _FUNCTIONS.get(operator)
    return function(value, *arguments) if function else value


def _recase(value: str, change: Callable[[str], str]) -> str:
    """Change case letter by letter, as Go does: no letter becomes two."""
    return "".join(new if len(new := change(char)) == 1 else char for char in value)


def _substring(value: str, position: str, length: str | None = None) -> str:
    data = value.encode()
    start = _number(position)
    if start is None:
        return value
    if start < 0:
        start = max(0, len(data) + start)
    if length is None:
        return data[start:].decode(errors="replace")
    size = _number(length)
    if size is None:
        return value
    end = len(data) + size if size < 0 else start + size
    return data[start : max(start, end)].decode(errors="replace")


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[-+]?[0-9]{1,18}", text) else None


def _replace_first(value: str, old: str, new: str = "") -> str:
    return value.replace(old, new, 1)


def _replace_all(value: str, old: str, new: str = "") -> str:
    return value.replace(old, new)


def _replace_prefix(value: str, old: str, new: str | None = None) -> str:
    if new is None or not value.startswith(old):
        return value
    return new + value.removeprefix(old)


def _replace_suffix(value: str, old: str, new: str | None = None) -> str:
    if new is None or not value.endswith(old):
        return value
    return value.removesuffix(old) + new


def _trim_prefix(value: str, pattern: str, *, longest: bool) -> str:
    """Cut the prefix that a glob matches; an empty match cuts nothing."""
    matcher = _glob(pattern)
    if matcher is None:
        return value
    sizes = range(len(value), 0, -1) if longest else range(1, len(value) + 1)
    for size in sizes:
        if matcher.fullmatch(value, 0, size):
            return value[size:]
    return value


def _trim_suffix(value: str, pattern: str, *, longest: bool) -> str:
    """Cut a suffix as envsubst does: both texts are reversed, classes included."""
    return _trim_prefix(value[::-1], pattern[::-1], longest=longest)[::-1]


def _glob(pattern: str) -> re.Pattern[str] | None:
    r"""A glob of `*`, `?`, `[a-z]`, `[^a]` and `\c`; None for a malformed one.

    Each `*` takes the first match of what follows it and never goes back, so
    that matching stays polynomial on hostile patterns.
    """
    chunks, at, chunk = [], 0, ""
    while at < len(pattern):
        if pattern[at] == "*":
            chunks.append(chunk)
            chunk = ""
            at += 1
            continue
        found = _TERM.match(pattern, at)
        if found is None:
            return None
        chunk += _term(found)
        at = found.end()
    chunks.append(chunk)
    first, *rest = chunks
    if not rest:
        return re.compile(first, re.DOTALL)
    middle = "".join(f"(?>.*?{part})" for part in rest[:-1])
    return re.compile(f"{first}{middle}.*{rest[-1]}", re.DOTALL)


_TERM = regex(
    r"\[(?P<not>\^?)(?P<class>(?:(?:\\.|[^\\\]-])(?:-(?:\\.|[^\\\]-]))?)+)\]"
    r"|\\(?P<escaped>.)|(?P<any>\?)|(?P<char>[^\\\[])",
    re.DOTALL,
)


def _term(found: re.Match[str]) -> str:
    match found.lastgroup:
        case "class":
            members = re.sub(r"\\(.)|([\[\]^&~|])", r"\\\1\2", found["class"])
            return f"[{found['not']}{members}]"
        case "any":
            return "."
        case _:
            return re.escape(found["escaped"] or found["char"])


_FUNCTIONS: dict[str, Callable[..., str]] = {
    ",": lambda value: _recase(value[:1], str.lower) + value[1:],
    ",,": lambda value: _recase(value, str.lower),
    "^": lambda value: _recase(value[:1], str.upper) + value[1:],
    "^^": lambda value: _recase(value, str.upper),
    ":": _substring,
    "/": _replace_first,
    "//": _replace_all,
    "/#": _replace_prefix,
    "/%": _replace_suffix,
    "#": lambda value, pattern: _trim_prefix(value, pattern, longest=False),
    "##": lambda value, pattern: _trim_prefix(value, pattern, longest=True),
    "%": lambda value, pattern: _trim_suffix(value, pattern, longest=False),
    "%%": lambda value, pattern: _trim_suffix(value, pattern, longest=True),
}
