"""A graph as boxes and arrows to be drawn; a large one is folded, a box for each namespace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from celvet.lint.graph.nodes import Edge, Graph
from celvet.lint.graph.wording import marks, place, title, wait
from celvet.record import record, replace

MOST_BOXES = 60
"""More can no longer be told apart at once."""

NO_NAMESPACE = "without a namespace"


@record
class Box:
    """A node, or all nodes of a namespace.

    `note` is its second line, `tip` has what does not fit. `critical` says when it is ready if that
    is on the longest line. `wrong` marks one whose wait never ends, `outside` one that is in none
    of the files.
    """

    title: str
    namespace: str
    note: str = ""
    tip: str = ""
    critical: str = ""
    wrong: bool = False
    outside: bool = False


@record
class Arrow:
    """From what comes first to what comes after it; numbers are those of the boxes.

    `tip` says why. `applies` marks the one from an object to what it applies.
    """

    first: int
    after: int
    tip: str
    applies: bool = False
    wrong: bool = False
    critical: bool = False


@record
class Drawing:
    """Boxes and the arrows between them, without their places."""

    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]


def drawing_of(graph: Graph) -> Drawing:
    """A box for each object, an arrow for each edge between two.

    What has no name, such as all that an object applies, is a part of the object that waits for it.
    """
    nodes = [number for number, node in enumerate(graph.nodes) if node.file or node.object.name]
    numbers = {number: index for index, number in enumerate(nodes)}
    own_edges: dict[int, list[Edge]] = {}
    arrows = []
    for edge in graph.edges:
        own_edges.setdefault(edge.source, []).append(edge)
        if edge.source in numbers and edge.target in numbers:
            arrows.append(_arrow(edge, graph, numbers))
    boxes = (_box(number, graph, own_edges.get(number, ())) for number in nodes)
    return Drawing(tuple(boxes), tuple(arrows))


def folded(drawing: Drawing) -> Drawing:
    """A box for each namespace, with the arrows between them; those within are left out."""
    groups: dict[str, list[Box]] = {}
    for box in drawing.boxes:
        groups.setdefault(box.namespace, []).append(box)
    numbers = {name: number for number, name in enumerate(groups)}
    bundles: dict[tuple[int, int, bool], list[Arrow]] = {}
    for arrow in drawing.arrows:
        first, after = (numbers[drawing.boxes[end].namespace] for end in (arrow.first, arrow.after))
        if first != after:
            bundles.setdefault((first, after, arrow.applies), []).append(arrow)
    return Drawing(
        tuple(_group(name, boxes) for name, boxes in groups.items()),
        tuple(_bundle(*ends, arrows) for ends, arrows in bundles.items()),
    )


def part(drawing: Drawing, namespace: str) -> Drawing:
    """The boxes of a namespace with their neighbours, and the arrows at them."""
    members = {number for number, box in enumerate(drawing.boxes) if box.namespace == namespace}
    arrows = [arrow for arrow in drawing.arrows if arrow.first in members or arrow.after in members]
    box_numbers = sorted(members.union(*((arrow.first, arrow.after) for arrow in arrows)))
    numbers = {number: index for index, number in enumerate(box_numbers)}
    return Drawing(
        tuple(drawing.boxes[number] for number in box_numbers),
        tuple(
            replace(arrow, first=numbers[arrow.first], after=numbers[arrow.after])
            for arrow in arrows
        ),
    )


def _group(name: str, boxes: Sequence[Box]) -> Box:
    return Box(
        title=name,
        namespace=name,
        note=f"{len(boxes)} object{'s' if len(boxes) > 1 else ''}",
        critical="on the longest line" if any(box.critical for box in boxes) else "",
        wrong=any(box.wrong for box in boxes),
        outside=all(box.outside for box in boxes),
    )


def _bundle(first: int, after: int, applies: bool, arrows: list[Arrow]) -> Arrow:
    more = f", and {len(arrows) - 1} more" if len(arrows) > 1 else ""
    return Arrow(
        first,
        after,
        f"{arrows[0].tip}{more}",
        applies,
        any(arrow.wrong for arrow in arrows),
        any(arrow.critical for arrow in arrows),
    )


def _box(number: int, graph: Graph, edges: Sequence[Edge]) -> Box:
    node = graph.nodes[number]
    ref = node.object
    tips = [place(node), *(_words(edge, graph) for edge in edges if edge.relation != "applies")]
    return Box(
        title="/".join(filter(None, (ref.namespace, ref.name))) or title(node),
        namespace=ref.namespace or NO_NAMESPACE,
        note=ref.kind if node.file else f"{ref.kind}, not in these files",
        tip="\n".join(filter(None, tips)),
        critical=graph.critical.get(number, ""),
        wrong=any(map(marks, edges)),
        outside=not node.file,
    )


def _arrow(edge: Edge, graph: Graph, numbers: Mapping[int, int]) -> Arrow:
    applies = edge.relation == "applies"
    first, after = (edge.source, edge.target) if applies else (edge.target, edge.source)
    return Arrow(
        numbers[first],
        numbers[after],
        f"{title(graph.nodes[edge.source])} {_words(edge, graph)}",
        applies,
        bool(marks(edge)),
        _is_critical(edge, graph),
    )


def _is_critical(edge: Edge, graph: Graph) -> bool:
    """Whether the ends of an edge are next to each other on a longest line."""
    places = {node: place for place, node in enumerate(graph.critical)}
    ends = (edge.source, edge.target)
    return all(end in places for end in ends) and abs(places[ends[0]] - places[ends[1]]) == 1


def _words(edge: Edge, graph: Graph) -> str:
    words = f"{edge.relation} {title(graph.nodes[edge.target])} {wait(edge)}".rstrip()
    return ". ".join((words, *marks(edge)))
