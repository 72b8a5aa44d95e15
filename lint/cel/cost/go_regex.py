"""What Go's `regexp` takes to compile a pattern and to look for it in a text.

Go runs all instructions that may come next at once, so the time is the length of the text times the
instructions that can run at the same character.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence as Parts
from functools import lru_cache

from celvet.lint.cel.cost.regex_size import MOST_IN_GO, GoPattern
from celvet.lint.go.regexp.syntax import RegexParser
from celvet.lint.go.regexp.tree import (
    Alternation,
    Assertion,
    Capture,
    Char,
    RegexError,
    Repeat,
    Sequence,
    Tree,
)
from celvet.lint.go.step_meter import LimitError, UnsupportedError

_USUAL = "a0 -\né"
_LETTERS = [*map(chr, range(32, 127)), "\n", "é"]
_CANDIDATES = 20


@lru_cache(maxsize=1_024)
def parsed(text: str, sample: str = "") -> GoPattern:
    """The cost of a pattern that is known, in a text that repeats `sample` or in the worst one.

    A pattern that Go refuses, or that celvet cannot read, costs nothing.
    """
    try:
        tree = RegexParser(text).parse()
    except (RegexError, LimitError, UnsupportedError):
        return GoPattern(0, 0)
    common = Counter(text).most_common(_CANDIDATES)
    candidates = {char for char, _ in common} | set(_USUAL)
    needed = _needed(tree)
    parts = _in_order(needed)
    size, reads, single = _size(tree), None, False
    if parts and parts[0] == Assertion("A"):
        reads = None if _unlimited(needed) else size
        single = not _varied(needed)
        parts = () if single else _restarted(parts)
    if sample:
        parts = _reached(parts, sample)
        sizes = [_size(Sequence(tuple(parts)), char) for char in sample]
        running = sum(sizes) // len(sizes)
    else:
        running = max(_size(Sequence(tuple(parts)), char) for char in candidates)
    return GoPattern(min(size, MOST_IN_GO), min(running + 1, MOST_IN_GO), reads, single)


def _in_order(tree: Tree) -> Parts[Tree]:
    """The parts of a pattern one after the other, those of a group at its beginning too."""
    while isinstance(tree, Capture):
        tree = tree.part
    if not isinstance(tree, Sequence):
        return (tree,)
    return (*_in_order(tree.parts[0]), *tree.parts[1:]) if tree.parts else ()


def _needed(tree: Tree) -> Tree:
    """The tree without what may be missing at its end, before which the search succeeds."""
    if isinstance(tree, Repeat) and tree.least != tree.most:
        return (
            Repeat(tree.part, tree.least, tree.least, tree.greedy) if tree.least else Sequence(())
        )
    if isinstance(tree, Capture):
        return Capture(_needed(tree.part), tree.index)
    if isinstance(tree, Alternation):
        return Alternation(tuple(map(_needed, tree.options)))
    if isinstance(tree, Sequence):
        parts = tree.parts
        while parts:
            last = _needed(parts[-1])
            if last != Sequence(()):
                return Sequence((*parts[:-1], last))
            parts = parts[:-1]
        return Sequence(())
    return tree


def _restarted(parts: Parts[Tree]) -> Parts[Tree]:
    """The parts of an anchored pattern that can run from several places of the text at once.

    Those are behind the first unlimited repetition that may end at several places.
    """
    for index, part in enumerate(parts):
        if isinstance(part, Repeat) and part.most is None:
            behind = parts[index + 1 :]
            if not (isinstance(part.part, Char) and behind and _apart(part.part, behind[0])):
                return behind
        elif _unlimited(part):
            return parts[index:]
    return parts


def _reached(parts: Parts[Tree], sample: str) -> Parts[Tree]:
    """The parts before the first one that needs a character that the text does not have."""
    for index, part in enumerate(parts):
        if not _possible(part, sample):
            kept = _reached(_in_order(part), sample) if _joined(part) else ()
            return (*parts[:index], *kept)
    return parts


def _possible(tree: Tree, sample: str) -> bool:
    """Whether these characters may match."""
    if isinstance(tree, Char):
        return any(map(tree.test, sample))
    if isinstance(tree, Assertion):
        return True
    if isinstance(tree, Sequence):
        return all(_possible(part, sample) for part in tree.parts)
    if isinstance(tree, Alternation):
        return any(_possible(option, sample) for option in tree.options)
    return (isinstance(tree, Repeat) and not tree.least) or _possible(tree.part, sample)


def _apart(one: Char, other: Tree) -> bool:
    """Whether no usual character is both the one and the first of the other."""
    first = _first(other)
    return first is not None and not any(one.test(c) and first.test(c) for c in _LETTERS)


def _first(tree: Tree) -> Char | None:
    while isinstance(tree, Capture) or (isinstance(tree, Repeat) and tree.least):
        tree = tree.part
    if isinstance(tree, Sequence) and tree.parts:
        return _first(tree.parts[0])
    return tree if isinstance(tree, Char) else None


def _size(tree: Tree, char: str | None = None) -> int:
    """The instructions of a tree, or only those that run at a character."""
    if isinstance(tree, Char):
        return 1 if char is None else int(tree.test(char))
    if isinstance(tree, Assertion):
        return 1
    if isinstance(tree, Sequence):
        return sum(_size(part, char) for part in tree.parts)
    if isinstance(tree, Alternation):
        return sum(_size(option, char) for option in tree.options) + len(tree.options) - 1
    size = _size(tree.part, char)
    if isinstance(tree, Capture):
        return size + 2 if char is None else size
    most = tree.least if tree.most is None else tree.most
    choices = 1 if tree.most is None else tree.most - tree.least
    return max(most, 1) * size + (choices if size else 0)


def _joined(tree: Tree) -> bool:
    """Whether a tree has parts one after the other."""
    while isinstance(tree, Capture):
        tree = tree.part
    return isinstance(tree, Sequence)


def _varied(tree: Tree) -> bool:
    """Whether a tree matches texts of several lengths, or has alternatives."""
    if isinstance(tree, Repeat):
        return tree.least != tree.most or _varied(tree.part)
    if isinstance(tree, Capture):
        return _varied(tree.part)
    if isinstance(tree, Sequence):
        return any(map(_varied, tree.parts))
    return isinstance(tree, Alternation)


def _unlimited(tree: Tree) -> bool:
    if isinstance(tree, Repeat):
        return tree.most is None or _unlimited(tree.part)
    if isinstance(tree, Capture):
        return _unlimited(tree.part)
    parts = tree.parts if isinstance(tree, Sequence) else ()
    parts = tree.options if isinstance(tree, Alternation) else parts
    return any(map(_unlimited, parts))
