"""The patterns of a `.gitignore`, as git reads them (`dir.c` and `wildmatch.c` of git 2.39).

Loading pathspec, which does the same, took 28 of the 200 ms of a run with a full cache.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from celvet.record import record
from celvet.regex import regex

_TRAILING = regex(r"((?:\\.|[^\\])*?) *")
"""A line without trailing spaces; a space after a backslash belongs to the pattern."""
_SPECIAL = regex(r"[*?\[\\]")
_PART = regex(r"(?P<stars>\*+)|(?P<any>\?)|(?P<set>\[[!^]?)|\\(?P<escaped>.)|(?P<char>[^\\])")
_ITEM = regex(r"\[:([^]]*):\]|(\\.|[^\\])(?:-(\\.|[^]\\]))?")
_DIRECTORIES, _ANYTHING, _IN_NAME = "(?:.*/)?", ".*", "[^/]*"
_STARS = ({_DIRECTORIES, _ANYTHING}, {_IN_NAME})
_SHORTEST = {_DIRECTORIES: "(?:.*?/)??", _ANYTHING: ".*?", _IN_NAME: "[^/]*?"}
_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r" \t-\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


@record
class IgnorePattern:
    """A pattern; if `includes`, it includes again what others ignore.

    It may be about `directories` only, and about the `full_path` or its last name.
    """

    includes: bool
    directories: bool
    full_path: bool
    matches: Callable[[str], object]


@record
class IgnoreList:
    """What the lines of a file, or of a list, ignore; paths are relative, with slashes."""

    patterns: tuple[IgnorePattern, ...]
    """The last one comes first, since it decides."""

    @classmethod
    def by(cls, lines: Iterable[str]) -> IgnoreList:
        """What lines ignore; a pattern that cannot match is dropped."""
        return cls(tuple(_patterns(lines))[::-1])

    def verdict(self, path: str, *, directory: bool) -> bool | None:
        """True: ignored, False: included again, None: no pattern is about the path itself."""
        name = path.rpartition("/")[2]
        for pattern in self.patterns:
            if (directory or not pattern.directories) and pattern.matches(
                path if pattern.full_path else name
            ):
                return not pattern.includes
        return None

    def holds(self, file: str) -> bool:
        """Whether a file is ignored, or a directory that it lies in."""
        above = [file[:at] for at, char in enumerate(file) if char == "/"]
        is_in_ignored = any(self.verdict(directory, directory=True) for directory in above)
        return is_in_ignored or bool(self.verdict(file, directory=False))


def _patterns(lines: Iterable[str]) -> Iterator[IgnorePattern]:
    for line in lines:
        try:
            pattern = ignore_pattern(line)
        except ValueError:
            continue
        if pattern:
            yield pattern


def ignore_pattern(line: str) -> IgnorePattern | None:
    """The pattern of a line; None for a comment or an empty one.

    Raises `ValueError` for a pattern that can match nothing.
    """
    if line.startswith("#"):
        return None
    match = _TRAILING.fullmatch(line)
    if match is None:
        raise ValueError(line)
    stripped_line = match[1]
    text = stripped_line.removeprefix("!")
    path = text.removesuffix("/")
    relative_path = path.removeprefix("/")
    if not relative_path:
        if text != stripped_line:
            raise ValueError(line)
        return None
    return IgnorePattern(
        includes=text != stripped_line,
        directories=path != text,
        full_path="/" in path,
        matches=_matching(relative_path),
    )


def _matching(pattern: str) -> Callable[[str], object]:
    wildcard = _SPECIAL.search(pattern)
    if wildcard is None:
        return pattern.__eq__
    parts = [*_translate(pattern, wildcard.start())]
    return re.compile(_expression(parts, _STARS), re.DOTALL).fullmatch


def _expression(parts: Sequence[str], stars: Sequence[Collection[str]]) -> str:
    """A regular expression whose time is bounded, however many stars a pattern has.

    The text between two stars is matched where it is found first, and never again, because the
    later star can match the rest anyway. `stars` are those that may cross a slash, then those that
    may not: between two of the former, the number of slashes is fixed.
    """
    if not stars:
        return "".join(parts)
    own_stars, *inner = stars
    groups: list[list[str]] = [[""]]
    for part in parts:
        if part in own_stars:
            groups.append([part])
        else:
            groups[-1].append(part)
    bodies = [(star, _expression(texts, inner)) for star, *texts in groups]
    *earlier_bodies, (star, body) = bodies
    between = "".join(f"(?>{_SHORTEST.get(star, star)}{body})" for star, body in earlier_bodies)
    return f"{between}{star}{body}"


def _translate(pattern: str, first: int) -> Iterator[str]:
    """The parts of a regular expression; `first` is where the first wildcard is.

    Raises `ValueError` for a pattern without an end.
    """
    at = 0
    while at < len(pattern):
        part = _PART.match(pattern, at)
        if part is None:
            raise ValueError(pattern)
        at = part.end()
        if part["stars"]:
            # git compares the part before the first wildcard separately: `a**/b` is like `**/b`
            begins = part.start() == first or pattern[part.start() - 1] == "/"
            between = begins and len(part["stars"]) > 1
            if between and pattern.startswith("/", at):
                at += 1
                yield _DIRECTORIES
            elif between and (at == len(pattern) or pattern.startswith("\\/", at)):
                yield _ANYTHING
            else:
                yield _IN_NAME
        elif part["any"]:
            yield "[^/]"
        elif part["set"]:
            items, at = _set(pattern, at)
            yield f"[^/{items}]" if len(part["set"]) > 1 else f"(?!/)[{items}]"
        else:
            yield re.escape(part["escaped"] or part["char"])


def _set(pattern: str, at: int) -> tuple[str, int]:
    """The items of a set, and where it ends; a `]` at its beginning is an item."""
    items: list[str] = []
    while not items or not pattern.startswith("]", at):
        item = _ITEM.match(pattern, at)
        if item is None or (item[1] is not None and item[1] not in _CLASSES):
            raise ValueError(pattern)
        items.append(_CLASSES[item[1]] if item[1] else _range(item[2][-1], item[3]))
        at = item.end()
    return "".join(items), at + 1


def _range(first: str, last: str | None) -> str:
    """The characters between two, of which the first always counts."""
    if last is None or last[-1] < first:
        return re.escape(first)
    return f"{re.escape(first)}-{re.escape(last[-1])}"
