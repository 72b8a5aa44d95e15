"""Looks for the object on which an evaluation takes longest."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from random import Random

from celvet.lint.cel.cost.worst_case.objects import Choice, Objects, Slot
from celvet.lint.cel.cost.worst_case.run import ExhaustedError, Run, Taken
from celvet.lint.cel.cost.worst_case.shapes import Shapes
from celvet.lint.cel.syntax.tree import Call, Literal, Node, walk

_VISITS = 25_000
_VISITS_OF_ONE = 8_000
_ROUNDS = 2
_CLIMBS = 5
_MIXED = 60
"""How often, and from how many objects, parts are changed for the worse."""

_TURNS = range(1, 100)
"""Samples of an expression that reads nothing."""

_TEXTS = 92
"""Percent of an object that its texts may take."""

_MOST_FILLS = 12
_USUAL_FILLS = {"matches": ("a.",), "trim": ("a" * 20 + " " * 20,)}


def worst_case(
    root: Node,
    libraries: tuple[str, ...],
    size: int,
    elements: int,
    *,
    of: Callable[[Taken], int],
) -> Taken | None:
    """What the evaluation takes on the object for which `of` is most, of those that are tried."""
    shapes = Shapes(root, libraries)
    if not shapes.variables:
        return _of_constants(root, libraries, of)
    objects = Objects(shapes.variables, _hints(root), size * _TEXTS // 100, elements)
    return _Search(root, libraries, objects, of).best


def _of_constants(
    root: Node, libraries: tuple[str, ...], of: Callable[[Taken], int]
) -> Taken | None:
    """What an evaluation takes that reads nothing; if it is long, the least of several samples."""
    try:
        return Run(libraries, _VISITS_OF_ONE).of(root, {})
    except ExhaustedError:
        pass
    except RecursionError:
        return None
    visits = _VISITS // len(_TURNS)
    try:
        return min((Run(libraries, visits, turn).of(root, {}) for turn in _TURNS), key=of)
    except (ExhaustedError, RecursionError):
        return None


def _hints(root: Node) -> list[str]:
    """What to fill a text with, so that the functions of the expression take long."""
    found = ["a"]
    for node in walk(root):
        if isinstance(node, Call):
            for each in node.children:
                if isinstance(each, Literal) and isinstance(each.value, str):
                    found += _fills(each.value, node.function)
            found += _USUAL_FILLS.get(node.function, ())
    return [*dict.fromkeys(found)][:_MOST_FILLS]


def _fills(literal: str, function: str) -> list[str]:
    if function == "matches":
        return [char for char in "a0x -" if char in literal] + ["0"] * ("d" in literal)
    if function == "split":
        return [literal, f"a{literal}"] if literal else []
    return [literal] if literal else []


class _Search:
    """Changes one part of the object after the other for the worse."""

    def __init__(
        self,
        root: Node,
        libraries: tuple[str, ...],
        objects: Objects,
        measure: Callable[[Taken], int],
    ) -> None:
        self._root = root
        self._libraries = libraries
        self._objects = objects
        self._measure = measure
        self._left = _VISITS
        self.best: Taken | None = None
        self._tried: dict[tuple[int, ...], Taken | None] = {}
        starts = sorted(self._starts(), key=self._worth, reverse=True)
        tops = [self._climbed(start) for start in starts[:_CLIMBS]]
        self._climb_in_pairs(max(tops, key=self._worth))

    def _starts(self) -> list[dict[Slot, int]]:
        """Objects in which all texts are alike, and some of all kinds."""
        slots = self._objects.slots
        most = max((len(slot.options) for slot in slots if slot.weight), default=1)
        alike = [
            {slot: min(option, len(slot.options) - 1) if slot.weight else 0 for slot in slots}
            for option in range(most)
        ]
        chance = Random(0)  # noqa: S311  (the same objects each time)
        mixed = [
            {slot: chance.randrange(len(slot.options)) for slot in slots} for _ in range(_MIXED)
        ]
        # A loop that ends at its first element may hold one that does not.
        single = [
            {**start, slot: len(slot.options) - 2}
            for start in (*alike, *mixed)
            for slot in self._objects.lists
        ]
        return [*alike, *mixed, *single]

    def _climbed(self, choice: Choice) -> Choice:
        """The choice after changes of one part at a time."""
        for _ in range(_ROUNDS):
            before = choice
            for slot in self._objects.slots:
                tried = [{**choice, slot: option} for option in range(len(slot.options))]
                choice = max(tried, key=self._worth)
            if choice == before:
                break
        return choice

    def _climb_in_pairs(self, choice: Choice) -> None:
        """Change two parts at once: of a single element, long texts may be long in another way."""
        for one, other in combinations(self._objects.slots, 2):
            options = product(range(len(one.options)), range(len(other.options)))
            choice = max(({**choice, one: a, other: b} for a, b in options), key=self._worth)

    def _worth(self, choice: Choice) -> int:
        key = tuple(choice.values())
        if key not in self._tried:
            self._tried[key] = self._taken(choice)
        taken = self._tried[key]
        return -1 if taken is None else self._measure(taken)

    def _taken(self, choice: Choice) -> Taken | None:
        variables = self._objects.made(choice) if self._left > 0 else None
        if variables is None:
            return None
        visits = min(_VISITS_OF_ONE, self._left)
        run = Run(self._libraries, visits)
        try:
            taken = run.of(self._root, variables)
        except (ExhaustedError, RecursionError):
            return None
        finally:
            self._left -= visits - max(run.visits, 0)
        if self.best is None or self._measure(taken) > self._measure(self.best):
            self.best = taken
        return taken
