"""Compiles and matches an expression; a `StepMeter` counts every step."""

from __future__ import annotations

import re

from celvet.lint.go.regexp.classes import WORD, in_ranges
from celvet.lint.go.regexp.syntax import RegexParser
from celvet.lint.go.regexp.tree import (
    Alternation,
    Assertion,
    Capture,
    Char,
    CharTest,
    RegexError,
    Repeat,
    Sequence,
    Tree,
)
from celvet.lint.go.step_meter import LimitError, StepMeter, UnsupportedError
from celvet.record import record
from celvet.regex import regex

__all__ = ["Regex", "RegexError", "quote_meta", "regexp_error"]

_REFERENCE = regex(r"\$(?:(\$)|\{(\w+)\}|(\w+))")
_LARGEST = 10_000
_MOST_STEPS = 1_000_000
_is_word = in_ranges(WORD)
_Groups = tuple[int, ...]
"""Start and end of each group, the whole match first; -1 for one that took no part."""


def regexp_error(text: str) -> str:
    """Why Go refuses an expression, without its preamble; empty if it compiles, or may."""
    try:
        Regex(text, StepMeter("it", _MOST_STEPS))
    except RegexError as error:
        return str(error).removeprefix("error parsing regexp: ")
    except (LimitError, UnsupportedError):
        return ""
    return ""


class Regex:
    """A compiled expression.

    Raises:
        RegexError: it is not an expression.
    """

    def __init__(self, text: str, meter: StepMeter) -> None:
        meter.spend(1 + len(text))
        parser = RegexParser(text)
        tree = parser.parse()
        self._names = parser.names
        self._program = _Program(tree, len(parser.names))
        meter.spend(len(self._program.steps))
        self.text = text

    def search(self, text: str, meter: StepMeter, start: int = 0) -> _Groups | None:
        """The leftmost match from `start` on."""
        return self._program.search(text, start, meter)

    def find_all(self, text: str, meter: StepMeter, limit: int = -1) -> list[_Groups]:
        """All matches, as `FindAllString` takes them: none right behind another that is empty."""
        matches: list[_Groups] = []
        position, previous = 0, -1
        while position <= len(text) and len(matches) != limit:
            match = self.search(text, meter, position)
            if match is None:
                break
            empty = match[1] == match[0]
            if not empty or match[0] != previous:
                matches.append(match)
            # An empty match must not be found again.
            position = match[1] + (match[1] == position)
            previous = match[1]
        return matches

    def replace(self, text: str, meter: StepMeter, replacement: str, *, literal: bool) -> str:
        """`text` with each match replaced; `$1` and `${name}` are groups, unless `literal`."""
        parts: list[str] = []
        position = end = 0
        while position <= len(text):
            match = self.search(text, meter, position)
            if match is None:
                break
            parts.append(text[end : match[0]])
            if match[1] > end or match[0] == 0:
                parts.append(replacement if literal else self._expand(text, match, replacement))
                meter.spend(1 + len(parts[-1]) // 100)
            end = match[1]
            position = max(position + 1, match[1])
        parts.append(text[end:])
        return "".join(parts)

    def _expand(self, text: str, match: _Groups, replacement: str) -> str:
        def value(reference: re.Match[str]) -> str:
            if reference[1]:
                return "$"
            name = reference[2] or reference[3]
            if name.isascii() and name.isdigit():
                index = int(name[:9])
            else:
                index = self._names.index(name) if name in self._names else -1
            if not 0 <= index < len(match) // 2 or match[2 * index] < 0:
                return ""
            return text[match[2 * index] : match[2 * index + 1]]

        return _REFERENCE.sub(value, replacement)

    def split(self, text: str, meter: StepMeter, limit: int) -> list[str] | None:
        """As `Regexp.Split`; None is nil."""
        if limit == 0:
            return None
        if self.text and not text:
            return [""]
        parts: list[str] = []
        begin = end = 0
        for match in self.find_all(text, meter, limit):
            if limit > 0 and len(parts) == limit - 1:
                break
            end = match[0]
            if match[1] != 0:
                parts.append(text[begin:end])
            begin = match[1]
        if end != len(text):
            parts.append(text[begin:])
        return parts


def quote_meta(text: str) -> str:
    """As `regexp.QuoteMeta`."""
    return re.sub(r"[\\.+*?()|\[\]{}^$]", r"\\\g<0>", text)


@record(frozen=False)
class _Instruction:
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


class _Program:
    """The instructions of a tree, run in time linear in the text, as RE2 does."""

    def __init__(self, tree: Tree, groups: int) -> None:
        self.steps: list[_Instruction] = []
        self._slots = 2 * groups
        self._compile(tree)
        self._add(_Instruction("match"))

    def _add(self, step: _Instruction) -> int:
        if len(self.steps) >= _LARGEST:
            raise LimitError("a regular expression is too large")
        self.steps.append(step)
        return len(self.steps) - 1

    def _compile(self, tree: Tree) -> None:
        if isinstance(tree, Char):
            self._add(_Instruction("char", test=tree.test))
        elif isinstance(tree, Assertion):
            self._add(_Instruction("assert", name=tree.name))
        elif isinstance(tree, Sequence):
            for part in tree.parts:
                self._compile(part)
        elif isinstance(tree, Capture):
            self._add(_Instruction("save", slot=2 * tree.index))
            self._compile(tree.part)
            self._add(_Instruction("save", slot=2 * tree.index + 1))
        elif isinstance(tree, Alternation):
            self._choice(tree)
        else:
            self._repeat(tree)

    def _choice(self, tree: Alternation) -> None:
        ends = []
        for option in tree.options[:-1]:
            split = self._add(_Instruction("go"))
            self._compile(option)
            ends.append(self._add(_Instruction("go")))
            self.steps[split].targets = (split + 1, len(self.steps))
        self._compile(tree.options[-1])
        for end in ends:
            self.steps[end].targets = (len(self.steps),)

    def _repeat(self, tree: Repeat) -> None:
        for _ in range(tree.least):
            self._compile(tree.part)
        if tree.most is None:
            split = self._add(_Instruction("go"))
            self._compile(tree.part)
            self._add(_Instruction("go", targets=(split,)))
            self._branch(split, tree.greedy)
            return
        splits = []
        for _ in range(tree.most - tree.least):
            splits.append(self._add(_Instruction("go")))
            self._compile(tree.part)
        for split in splits:
            self._branch(split, tree.greedy)

    def _branch(self, split: int, greedy: bool) -> None:
        body, end = split + 1, len(self.steps)
        self.steps[split].targets = (body, end) if greedy else (end, body)

    def search(self, text: str, start: int, meter: StepMeter) -> _Groups | None:
        """The leftmost match that begins at `start` or later."""
        best: _Groups | None = None
        threads: dict[int, _Groups] = {}
        for position in range(start, len(text) + 1):
            # Pike's simulation: the threads are in the order of preference, and a new one begins at
            # each character until something has matched, which makes the match the leftmost.
            if best is None:
                begin = (position, -1) + (-1,) * (self._slots - 2)
                self._follow(threads, (0, begin), _Place(text, position), meter)
            if not threads and best is not None:
                break
            following: dict[int, _Groups] = {}
            char = text[position : position + 1]
            for index, groups in threads.items():
                step = self.steps[index]
                if step.kind == "match":
                    # The threads behind are less preferred, so they end here; those before may
                    # still match more.
                    best = (groups[0], position, *groups[2:])
                    break
                if char and step.test is not None and step.test(char):
                    self._follow(following, (index + 1, groups), _Place(text, position + 1), meter)
            threads = following
        return best

    def _follow(
        self,
        threads: dict[int, _Groups],
        begin: tuple[int, _Groups],
        place: _Place,
        meter: StepMeter,
    ) -> None:
        """Add the states reached from `begin` without a character, the preferred ones first."""
        stack = [begin]
        visited: set[int] = set()
        while stack:
            state, marks = stack.pop()
            if state in threads or state in visited:
                continue
            visited.add(state)
            meter.spend()
            step = self.steps[state]
            if step.kind == "go":
                stack += [(target, marks) for target in reversed(step.targets)]
            elif step.kind == "save":
                new_marks = (*marks[: step.slot], place.position, *marks[step.slot + 1 :])
                stack.append((state + 1, new_marks))
            elif step.kind == "assert":
                if _holds(step.name, place):
                    stack.append((state + 1, marks))
            else:
                threads[state] = marks


def _holds(name: str, place: _Place) -> bool:
    text, position = place.text, place.position
    if name == "A":
        return position == 0
    if name == "z":
        return position == len(text)
    previous, following = (
        text[position - 1 : position] if position else "",
        text[position : position + 1],
    )
    if name == "^":
        return previous in ("", "\n")
    if name == "$":
        return following in ("", "\n")
    boundary = bool(previous and _is_word(previous)) != bool(following and _is_word(following))
    return boundary == (name == "b")
