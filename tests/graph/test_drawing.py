"""The picture: layers, folds, focus, and what mermaid takes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.graph.boxes import Arrow, Box, Drawing, drawing_of, folded, part
from celvet.lint.graph.focus import UnknownObjectError, focused
from celvet.lint.graph.layout import layers
from celvet.lint.graph.nodes import Edge, Graph, GraphNode
from celvet.lint.graph.output import FORMATS
from celvet.lint.model import ObjectRef
from tests.browser import Page, chromium


def _graph(*edges: tuple[str, str, str], **fields: Any) -> Graph:
    """Objects `NAMESPACE/NAME` with edges: source, relation, target."""
    names = list(dict.fromkeys(end for edge in edges for end in (edge[0], edge[2])))
    nodes = (
        GraphNode(ObjectRef("a/v1", "A", *name.split("/")), "f.yaml", line)
        for line, name in enumerate(names, 1)
    )
    links = (
        Edge(
            names.index(source),
            names.index(target),
            relation,  # type: ignore[arg-type]
            "" if relation == "applies" else "ready",
        )
        for source, relation, target in edges
    )
    return Graph(tuple(nodes), tuple(links), **fields)


def _chain(count: int) -> Graph:
    edges = [(f"n{i % 7}/a{i}", "depends on", f"n{(i + 1) % 7}/a{i + 1}") for i in range(count)]
    return _graph(*edges)


_ENDS = st.tuples(st.integers(0, 9), st.integers(0, 9))


@given(st.lists(_ENDS, max_size=20))
def test_each_box_is_right_of_all_that_come_before_it(ends: list[tuple[int, int]]) -> None:
    arrows = [Arrow(min(pair), max(pair), "") for pair in ends if pair[0] != pair[1]]
    drawing = Drawing(tuple(Box(f"b{i}", f"n{i % 3}") for i in range(10)), tuple(arrows))
    columns = layers(drawing)
    column = {number: index for index, numbers in enumerate(columns) for number in numbers}
    assert sorted(column) == list(range(10))
    assert all(column[arrow.first] < column[arrow.after] for arrow in arrows)
    for numbers in columns:
        names = [drawing.boxes[number].namespace for number in numbers]
        runs = [name for index, name in enumerate(names) if names[:index][-1:] != [name]]
        assert len(runs) == len(set(runs)), "boxes of a namespace are together"


@given(st.lists(_ENDS, max_size=20))
def test_circles_have_layers_too(ends: list[tuple[int, int]]) -> None:
    drawing = Drawing(
        tuple(Box(f"b{i}", "") for i in range(10)), tuple(Arrow(*pair, "") for pair in ends)
    )
    assert sorted(number for numbers in layers(drawing) for number in numbers) == list(range(10))


def test_a_wait_for_what_it_applies_does_not_turn_the_order_round() -> None:
    graph = _graph(("a/top", "applies", "a/child"), ("a/top", "waits for", "a/child"))
    assert layers(drawing_of(graph)) == [[0], [1]]


def test_what_has_no_name_is_a_part_of_what_waits_for_it() -> None:
    nodes = (GraphNode(ObjectRef("a/v1", "A", "n", "x"), "f.yaml", 1), GraphNode(ObjectRef()))
    graph = Graph(nodes, (Edge(0, 1, "waits for", "ready", never="no object can pass"),))
    (box,) = drawing_of(graph).boxes
    assert box.title == "n/x"
    assert box.wrong
    assert "never: no object can pass" in box.tip


def test_a_fold_has_each_namespace_once_and_keeps_what_is_wrong() -> None:
    graph = _graph(
        ("a/x", "depends on", "b/y"), ("a/z", "depends on", "b/y"), ("b/y", "applies", "b/w")
    )
    edges = (*graph.edges[:1], Edge(1, 3, "waits for", "ready", never="no"))
    drawing = folded(drawing_of(Graph(graph.nodes, edges)))
    assert [(box.title, box.note, box.wrong) for box in drawing.boxes] == [
        ("a", "2 objects", False),
        ("b", "2 objects", True),
    ]
    assert [(arrow.first, arrow.after) for arrow in drawing.arrows] == [(1, 0)]
    assert [box.title for box in part(drawing_of(graph), "a").boxes] == ["a/x", "b/y", "a/z"]


def test_focus_keeps_what_comes_before_and_what_waits() -> None:
    graph = _graph(
        ("s/root", "applies", "a/x"),
        ("s/root", "applies", "b/other"),
        ("a/x", "depends on", "a/base"),
        ("c/after", "depends on", "a/x"),
        ("d/last", "waits for", "c/after"),
        ("d/last", "applies", "d/leaf"),
        ("b/other", "depends on", "a/base"),
    )
    for name in ("x", "a/x", "A/x", "A/a/x"):
        names = {node.object.name for node in focused(graph, name).nodes}
        assert names == {"root", "x", "base", "after", "last"}
    with pytest.raises(UnknownObjectError, match="did you mean `other`"):
        focused(graph, "othr")


def test_the_longest_line_is_told_from_other_ways() -> None:
    edges = [
        ("a/x", "depends on", "a/y"),
        ("a/y", "depends on", "a/z"),
        ("a/x", "depends on", "a/z"),
    ]
    graph = _graph(*edges, critical={2: "ready 1m", 1: "ready 2m", 0: "ready 3m"})
    drawing = drawing_of(graph)
    assert [arrow.critical for arrow in drawing.arrows] == [True, True, False]
    assert [box.critical for box in drawing.boxes] == ["ready 3m", "ready 2m", "ready 1m"]
    assert sorted(focused(graph, "y").critical) == [0, 1, 2]
    assert "A, ready 3m" in FORMATS.renderer("svg")(graph, False)


@pytest.mark.parametrize("count", [5, 200])
def test_a_picture_is_one_file_that_loads_nothing(count: int) -> None:
    picture = ElementTree.fromstring(FORMATS.renderer("svg")(_chain(count), False))
    assert picture.attrib["role"] == "img"
    boxes = [each for each in picture.iter() if "data-name" in each.attrib]
    assert len(boxes) == (count + 1 if count < 60 else 7)
    assert not [each for each in picture.iter() if {*each.attrib} & {"src", "href"}]


@pytest.mark.parametrize("count", [5, 400, pytest.param(3_000, marks=pytest.mark.slow)])
def test_mermaid_takes_the_chart(count: int) -> None:
    text = FORMATS.renderer("mermaid")(_chain(count), False)
    assert len(text) <= 50_000
    assert text.count("-->") <= 500
    assert text.startswith("%% Folded by namespace" if count > 1_000 else "flowchart LR")
    many = _graph(*((f"n{i}/x", "depends on", f"n{i + 1}/x") for i in range(2_000)))
    text = FORMATS.renderer("mermaid")(many, False)
    assert len(text) <= 50_000
    assert "boxes or arrows are left out" in text


@pytest.mark.usefixtures("outside")
def test_the_search_unfolds_and_marks_what_is_found(tmp_path: Path) -> None:
    file = tmp_path / "graph.html"
    file.write_text(FORMATS.renderer("html")(_chain(100), False), encoding="utf-8")

    async def work(page: Page) -> tuple[str, int, int]:
        await page.window(360)
        await page.open(file.as_uri())
        await page.value("document.getElementById('search').focus()")
        for key in "n3/a10":
            await page.press(key)
        await page.until("document.querySelector('details.namespace[open] .box.found')")
        count = await page.value("document.getElementById('matches').textContent")
        wide = await page.value("document.documentElement.scrollWidth")
        return count, wide, len(await page.unnamed())

    async def session() -> tuple[str, int, int]:
        async with chromium(tmp_path) as page:
            return await work(page)

    count, wide, unnamed = asyncio.run(session())
    assert count.endswith(" found")
    assert wide == 360, "the pictures scroll by themselves"
    assert unnamed == 0
