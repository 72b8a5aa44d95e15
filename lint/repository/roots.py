"""Finds the objects at the top of a repository: those that no other one applies."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from celvet.lint.repository.files import FileObject
from celvet.lint.repository.made_objects import maker_of


def find_roots(
    objects: Sequence[FileObject], targets: Sequence[Collection[int]]
) -> tuple[list[FileObject], list[FileObject]]:
    """The objects of a bootstrap, and the others whose file no other one applies.

    `targets` are the numbers of the objects in the files that each applies. A FluxInstance may be
    applied by what it makes.
    """
    appliers_of: list[set[int]] = [set() for _ in objects]
    for index, numbers in enumerate(targets):
        for number in numbers:
            appliers_of[number].add(index)
    bootstraps: list[FileObject] = []
    others: list[FileObject] = []
    for index, obj in enumerate(objects):
        makes = bool(maker_of(obj.value))
        own_objects = _reached(index, targets) if makes and appliers_of[index] else {index}
        if not appliers_of[index] - own_objects:
            is_bootstrap = makes or index in appliers_of[index]
            (bootstraps if is_bootstrap else others).append(obj)
    return bootstraps, others


def _reached(start: int, targets: Sequence[Collection[int]]) -> set[int]:
    """The number of an object, and those of all that it applies."""
    reached_numbers, stack = {start}, [start]
    while stack:
        for number in targets[stack.pop()]:
            if number not in reached_numbers:
                reached_numbers.add(number)
                stack.append(number)
    return reached_numbers
