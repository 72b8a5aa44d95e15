"""Each format shows each edge of a graph once, whatever characters its names have."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.graph.faults import with_cycles
from celvet.lint.graph.nodes import Edge, Graph, GraphNode
from celvet.lint.graph.output import FORMATS
from celvet.lint.model import ObjectRef

_MARK = re.compile(r"a\d+b")
"""What the edges have as their role of an expression, so that each can be found again."""


@st.composite
def _graphs(draw: st.DrawFn) -> Graph:
    """Objects that at most one other applies, in no circle, and that wait for any others."""
    count = draw(st.integers(1, 8))
    names = st.text(min_size=1, max_size=6)
    reference = st.builds(ObjectRef, st.just("a/v1"), names, names, names)
    nodes = [GraphNode(draw(reference), "f.yaml", number + 1) for number in range(count)]
    ends = st.integers(0, count - 1)
    above = [draw(st.none() | st.integers(0, each - 1)) if each else None for each in range(count)]
    pairs = [(owner, each, "applies") for each, owner in enumerate(above) if owner is not None]
    pairs += [(*each, "depends on") for each in draw(st.lists(st.tuples(ends, ends), max_size=8))]
    edges = [
        Edge(
            source,
            target,
            relation,
            "expression",
            {f"a{number}b": draw(st.text(max_size=8))},
            draw(st.none() | st.just(timedelta(minutes=5))),
            draw(st.just("") | st.text(max_size=8)),
        )
        for number, (source, target, relation) in enumerate(pairs)
    ]
    return Graph(tuple(nodes), tuple(edges))


@given(_graphs())
def test_each_edge_is_shown_once(graph: Graph) -> None:
    wanted = sorted(f"a{number}b" for number in range(len(graph.edges)))
    for name in ("dot", "mermaid", "text", "json"):
        assert sorted(_MARK.findall(FORMATS.renderer(name)(graph, False))) == wanted, name
    page = FORMATS.renderer("html")(graph, False)
    tree = ElementTree.fromstring(page.removeprefix("<!doctype html>"))
    assert sorted(each.text or "" for each in tree.iter("dt")) == wanted
    assert not [each for each in tree.iter() if {*each.attrib} & {"src", "href"}]


@given(_graphs())
def test_labels_stay_in_their_quotes(graph: Graph) -> None:
    dot = FORMATS.renderer("dot")(graph, False).splitlines()[3:-1]
    assert len(dot) == len(graph.nodes) + len(graph.edges)
    assert all(
        re.fullmatch(r'  n\d+( -> n\d+)? \[label="(\\.|[^"\\])*"[^"]*\];', each) for each in dot
    )
    mermaid = FORMATS.renderer("mermaid")(graph, False).splitlines()
    drawn = [each for each in mermaid[1:] if not each.startswith("  linkStyle")]
    shape = r'  n\d+(\["[^"]*"\]| -->\|"[^"]*"\| n\d+)'
    assert all(re.fullmatch(shape, each) for each in drawn)


@given(_graphs())
def test_an_edge_is_in_a_cycle_if_it_leads_back(graph: Graph) -> None:
    edges = [Edge(each.source, each.target, each.relation, "ready") for each in graph.edges]
    reached = {number: {number} for number in range(len(graph.nodes))}
    for _ in graph.nodes:
        for each in edges:
            reached[each.source] |= reached[each.target]
    for each in with_cycles(edges):
        assert each.cycle is (each.source in reached[each.target])


def test_json_names_the_ends_by_their_ids() -> None:
    nodes = (
        GraphNode(ObjectRef("a/v1", "A", "", "x"), "f.yaml", 1),
        GraphNode(ObjectRef("a/v1", "A", "", "y")),
    )
    graph = Graph(nodes, (Edge(0, 1, "depends on", "ready"),))
    found = json.loads(FORMATS.renderer("json")(graph, False))
    assert [(each["from"], each["to"]) for each in found["edges"]] == [(0, 1)]
    assert [(each["id"], each["name"], each["file"]) for each in found["nodes"]] == [
        (0, "x", "f.yaml"),
        (1, "y", None),
    ]
