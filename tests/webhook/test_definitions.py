from __future__ import annotations

import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.crds import KnownSchemas, by_kind, of_definition
from celvet.lint.model import GroupKind
from celvet.webhook.crds import store as definitions
from celvet.webhook.crds.store import Collection, Definitions, pack, unpack
from celvet.webhook.judging import protocol as wire
from celvet.webhook.judging.crd_cache import Told
from tests.webhook.crd_server import crd

WIDGET = GroupKind("example.com", "Widget")


def test_what_types_are_read_of_is_kept_and_prose_is_not() -> None:
    document = crd("Widget", phase="string", description="string")
    told = Told()
    told.learn(WIDGET, pack(document))
    found = told.find("example.com/v1", "Widget")
    assert found
    assert [node.type for node in found.at("status", "description")] == ["string"]
    assert found.at("status", "phases") == ()
    assert b"prose" not in zlib.decompress(pack(document))


def test_all_that_is_told_of_status_and_metadata_changes_nothing() -> None:
    known, collection = Definitions(), Collection()
    collection.take(crd("Widget", phase="string"))
    known.publish(collection.kinds())
    later = crd("Widget", phase="string")
    later["status"] = {"conditions": [{"type": "Established"}]}
    later["metadata"]["resourceVersion"] = "7"
    collection.take(later)
    known.publish(collection.kinds())
    assert known.version == 1
    collection.take(crd("Widget", phase="integer"))
    known.publish(collection.kinds())
    assert known.version == 2


_SCHEMA = st.recursive(
    st.fixed_dictionaries({"type": st.sampled_from(["string", "integer"])}),
    lambda inner: st.fixed_dictionaries(
        {
            "type": st.just("object"),
            "description": st.just("prose"),
            "properties": st.dictionaries(
                st.sampled_from(["description", "properties", "phase", "type"]), inner
            ),
        }
    ),
    max_leaves=6,
)


@given(_SCHEMA)
def test_nodes_are_those_of_the_whole_definition(schema: dict[str, Any]) -> None:
    document = crd("Widget")
    document["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"] = {"status": schema}
    whole = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"} | document
    both = [of_definition(each) for each in (whole, unpack(pack(document)))]
    expected, found = (KnownSchemas(by_kind([each] if each else [])) for each in both)
    pending: list[tuple[str, ...]] = [("status",)]
    while pending:
        path = pending.pop()
        nodes = [
            [(node.type, node.names) for node in known.schemas[WIDGET].at(*path)]
            for known in (expected, found)
        ]
        assert nodes[0] == nodes[1]
        pending += [(*path, name) for _, names in nodes[0] for name in names if len(path) < 8]


class TestBounds:
    def test_too_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(definitions, "MAX_KINDS", 2)
        collection = Collection()
        for kind in ("A", "B", "C"):
            collection.take(crd(kind))
        assert [kind.kind for kind in collection.kinds()] == ["A", "B"]
        assert collection.left_out == {"cs.example.com"}
        collection.drop(crd("A"))
        collection.take(crd("C"))
        assert [kind.kind for kind in collection.kinds()] == ["B", "C"]
        assert not collection.left_out

    def test_all_too_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(definitions, "MAX_ALL", len(pack(crd("A"))) + 10)
        collection = Collection()
        collection.take(crd("A"))
        collection.take(crd("B"))
        collection.take(crd("A", **{f"field{number}": "string" for number in range(50)}))
        assert collection.left_out == {"as.example.com", "bs.example.com"}
        assert collection.kinds() == {}
        collection.take(crd("B"))
        assert list(collection.kinds()) == [GroupKind("example.com", "B")]

    def test_one_too_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(definitions, "MAX_ONE", 10)
        assert pack(crd("A")) == b""

    def test_one_too_deep(self) -> None:
        document = crd("A")
        deep: dict[str, Any] = {}
        for _ in range(5000):
            deep = {"items": deep}
        document["spec"]["versions"] = deep
        assert pack(document) == b""


@pytest.mark.parametrize("spec", [None, [], {"group": 1, "names": "x"}, {"versions": {"a": []}}])
def test_what_is_no_definition_is_known_of_nothing(spec: Any) -> None:
    collection, told = Collection(), Told()
    collection.take({"metadata": {"name": "x"}, "spec": spec})
    for kind, content in collection.kinds().items():
        told.learn(kind, content)
    assert told.find("example.com/v1", "Widget") is None
    assert told.find("v1", "") is None


class TestTold:
    def test_changed_and_gone(self) -> None:
        told = Told()
        for content, names in ((pack(crd("Widget", a="string")), True), (b"", False)):
            told.learn(WIDGET, content)
            assert bool(told.find("example.com/v1", "Widget")) is names
        told.learn(WIDGET, pack(crd("Widget", b="string")))
        found = told.find("example.com/v9", "Widget")
        assert found
        assert not found.at("status", "a")

    def test_few_are_kept_unpacked(self) -> None:
        told = Told()
        kinds = [f"Kind{number}" for number in range(100)]
        for kind in kinds:
            told.learn(GroupKind("example.com", kind), pack(crd(kind, a="string")))
        for kind in (*kinds, *kinds):
            assert told.find("example.com/v1", kind)
        assert len(told._unpacked) <= 32


@given(st.text(), st.text(), st.binary())
def test_news_over_the_pipe(group: str, kind: str, content: bytes) -> None:
    told = wire.news(GroupKind(group, kind), content)[wire.LENGTH.size :]
    assert wire.read_news(told) == (GroupKind(group, kind), content)
    question = wire.question(content, opt_out=True, seconds=1)[wire.LENGTH.size :]
    assert wire.read_news(question) is None
    assert wire.read_question(question) == (content, True, 1)
