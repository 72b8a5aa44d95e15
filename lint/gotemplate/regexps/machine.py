"""Runs regular expressions in time linear in the text, as RE2 does, and counts the steps."""

from __future__ import annotations

from celvet.lint.gotemplate.errors import LimitError
from celvet.lint.gotemplate.limits import Meter
from celvet.lint.gotemplate.regexps.classes import WORD, in_ranges
from celvet.lint.gotemplate.regexps.tree import (
    Alternation,
    Assertion,
    Capture,
    Char,
    CharTest,
    Repeat,
    Sequence,
    Tree,
)
from celvet.record import record

_LARGEST = 10_000
_is_word = in_ranges(WORD)

Groups = tuple[int, ...]
"""Start and end of each group, the whole match first; -1 for one that took no part."""


@record(frozen=False)
class _Step:
    """An instruction: test a character, check a place, remember a place, go on, or match."""

    kind: str
    test: CharTest | None = None
    name: str = ""
    targets: tuple[int, ...] = ()
    slot: int = 0


@record
class _Place:
    text: str
    position: int


class Program:
    """The instructions of a tree."""

    def __init__(self, tree: Tree, groups: int) -> None:
        self.steps: list[_Step] = []
        self._slots = 2 * groups
        self._compile(tree)
        self._add(_Step("match"))

    def _add(self, step: _Step) -> int:
        if len(self.steps) >= _LARGEST:
            raise LimitError("a regular expression is too large")
        self.steps.append(step)
        return len(self.steps) - 1

    def _compile(self, tree: Tree) -> None:
        if isinstance(tree, Char):
            self._add(_Step("char", test=tree.test))
        elif isinstance(tree, Assertion):
            self._add(_Step("assert", name=tree.name))
        elif isinstance(tree, Sequence):
            for part in tree.parts:
                self._compile(part)
        elif isinstance(tree, Capture):
            self._add(_Step("save", slot=2 * tree.index))
            self._compile(tree.part)
            self._add(_Step("save", slot=2 * tree.index + 1))
        elif isinstance(tree, Alternation):
            self._choice(tree)
        else:
            self._repeat(tree)

    def _choice(self, tree: Alternation) -> None:
        ends = []
        for option in tree.options[:-1]:
            split = self._add(_Step("go"))
            self._compile(option)
            ends.append(self._add(_Step("go")))
            self.steps[split].targets = (split + 1, len(self.steps))
        self._compile(tree.options[-1])
        for end in ends:
            self.steps[end].targets = (len(self.steps),)

    def _repeat(self, tree: Repeat) -> None:
        for _ in range(tree.least):
            self._compile(tree.part)
        if tree.most is None:
            split = self._add(_Step("go"))
            self._compile(tree.part)
            self._add(_Step("go", targets=(split,)))
            self._branch(split, tree.greedy)
            return
        splits = []
        for _ in range(tree.most - tree.least):
            splits.append(self._add(_Step("go")))
            self._compile(tree.part)
        for split in splits:
            self._branch(split, tree.greedy)

    def _branch(self, split: int, greedy: bool) -> None:
        inside, behind = split + 1, len(self.steps)
        self.steps[split].targets = (inside, behind) if greedy else (behind, inside)

    def search(self, text: str, start: int, meter: Meter) -> Groups | None:
        """The leftmost match that begins at `start` or later."""
        found: Groups | None = None
        threads: dict[int, Groups] = {}
        for position in range(start, len(text) + 1):
            if found is None:
                begin = (position, -1) + (-1,) * (self._slots - 2)
                self._follow(threads, (0, begin), _Place(text, position), meter)
            if not threads and found is not None:
                break
            following: dict[int, Groups] = {}
            char = text[position : position + 1]
            for index, groups in threads.items():
                step = self.steps[index]
                if step.kind == "match":
                    found = (groups[0], position, *groups[2:])
                    break
                if char and step.test is not None and step.test(char):
                    self._follow(following, (index + 1, groups), _Place(text, position + 1), meter)
            threads = following
        return found

    def _follow(
        self, threads: dict[int, Groups], begin: tuple[int, Groups], place: _Place, meter: Meter
    ) -> None:
        """Add the states reached from `begin` without a character, the preferred ones first."""
        waiting = [begin]
        seen: set[int] = set()
        while waiting:
            at, marks = waiting.pop()
            if at in threads or at in seen:
                continue
            seen.add(at)
            meter.spend()
            step = self.steps[at]
            if step.kind == "go":
                waiting += [(target, marks) for target in reversed(step.targets)]
            elif step.kind == "save":
                kept = (*marks[: step.slot], place.position, *marks[step.slot + 1 :])
                waiting.append((at + 1, kept))
            elif step.kind == "assert":
                if _holds(step.name, place):
                    waiting.append((at + 1, marks))
            else:
                threads[at] = marks


def _holds(name: str, place: _Place) -> bool:
    text, position = place.text, place.position
    if name == "A":
        return position == 0
    if name == "z":
        return position == len(text)
    before, after = text[position - 1 : position] if position else "", text[position : position + 1]
    if name == "^":
        return before in ("", "\n")
    if name == "$":
        return after in ("", "\n")
    boundary = bool(before and _is_word(before)) != bool(after and _is_word(after))
    return boundary == (name == "b")
