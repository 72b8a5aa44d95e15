"""Places boxes in layers of reconciliation: each is right of all that must come before it.

A layered drawing after Sugiyama, Tagawa and Toda (1981), in its simplest form: longest paths, then
the median of the neighbours decides the order in a layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import TopologicalSorter
from statistics import median_low

from celvet.lint.graph.boxes import Arrow, Drawing

_SWEEPS = 4


def layers(drawing: Drawing) -> list[list[int]]:
    """The numbers of the boxes in each layer, from the first; boxes of a namespace are together."""
    before = _acyclic(len(drawing.boxes), drawing.arrows)
    depths = _depths(before)
    columns: list[list[int]] = [[] for _ in range(max(depths, default=-1) + 1)]
    for number, depth in enumerate(depths):
        columns[depth].append(number)
    neighbours: dict[int, list[int]] = {number: [] for number in range(len(depths))}
    for arrow in drawing.arrows:
        neighbours[arrow.first].append(arrow.after)
        neighbours[arrow.after].append(arrow.first)
    rows = {number: row for column in columns for row, number in enumerate(column)}
    for sweep in range(_SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            _arrange(column, rows, neighbours, drawing)
    return columns


def _arrange(
    column: list[int],
    rows: dict[int, int],
    neighbours: Mapping[int, Sequence[int]],
    drawing: Drawing,
) -> None:
    """Order a layer by the rows of the neighbours, first whole namespaces, then their boxes."""
    medians = {
        number: median_low([rows[neighbour] for neighbour in neighbours[number]] or [rows[number]])
        for number in column
    }
    # Boxes of one namespace stay together, even where single medians would part them.
    groups: dict[str, list[int]] = {}
    for number in column:
        groups.setdefault(drawing.boxes[number].namespace, []).append(medians[number])
    middles = {name: median_low(places) for name, places in groups.items()}

    def key(number: int) -> tuple[int, str, int, int]:
        name = drawing.boxes[number].namespace
        return middles[name], name, medians[number], number

    column.sort(key=key)
    rows.update((number, row) for row, number in enumerate(column))


def _acyclic(count: int, arrows: Iterable[Arrow]) -> list[list[int]]:
    """For each box those before it; without arrows that lead back, as one may wait for a child."""
    after: list[list[int]] = [[] for _ in range(count)]
    # What one object applies comes first, so that a wait for it leads back and is left out.
    for arrow in sorted(arrows, key=lambda item: not item.applies):
        after[arrow.first].append(arrow.after)
    before: list[list[int]] = [[] for _ in range(count)]
    state = [0] * count  # 1 on the path, 2 done
    for start in range(count):
        stack = [] if state[start] else [(start, iter(after[start]))]
        state[start] = state[start] or 1
        while stack:
            number, neighbours = stack[-1]
            neighbour = next(neighbours, None)
            if neighbour is None:
                state[number] = 2
                stack.pop()
            elif state[neighbour] != 1:
                before[neighbour].append(number)
                if not state[neighbour]:
                    state[neighbour] = 1
                    stack.append((neighbour, iter(after[neighbour])))
    return before


def _depths(before: Sequence[Sequence[int]]) -> list[int]:
    """The longest path to each box."""
    depths = [0] * len(before)
    for number in TopologicalSorter(dict(enumerate(before))).static_order():
        depths[number] = max((depths[first] + 1 for first in before[number]), default=0)
    return depths
