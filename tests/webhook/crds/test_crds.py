from __future__ import annotations

import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.crds import KnownSchemas, by_kind, of_definition
from celvet.lint.model import GroupKind
from celvet.webhook.crds import store
from celvet.webhook.crds.store import CrdCollection, CrdStore, pack, unpack
from celvet.webhook.judging import frames
from celvet.webhook.judging.child import CrdCache
from tests.webhook.crd_server import crd

WIDGET = GroupKind("example.com", "Widget")


def test_types_are_kept_and_descriptions_are_not() -> None:
    document = crd("Widget", phase="string", description="string")
    cache = CrdCache()
    cache.update(WIDGET, pack(document))
    found = cache.find("example.com/v1", "Widget")
    assert found
    assert [node.type for node in found.at("status", "description")] == ["string"]
    assert found.at("status", "phases") == ()
    assert b"prose" not in zlib.decompress(pack(document))


def test_status_and_metadata_change_nothing() -> None:
    published, collection = CrdStore(), CrdCollection()
    collection.put(crd("Widget", phase="string"))
    published.publish(collection.kinds())
    later = crd("Widget", phase="string")
    later["status"] = {"conditions": [{"type": "Established"}]}
    later["metadata"]["resourceVersion"] = "7"
    collection.put(later)
    published.publish(collection.kinds())
    assert published.version == 1
    collection.put(crd("Widget", phase="integer"))
    published.publish(collection.kinds())
    assert published.version == 2


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
        monkeypatch.setattr(store, "MAX_KINDS", 2)
        collection = CrdCollection()
        for kind in ("A", "B", "C"):
            collection.put(crd(kind))
        assert [kind.kind for kind in collection.kinds()] == ["A", "B"]
        assert collection.left_out == {"cs.example.com"}
        collection.remove(crd("A"))
        collection.put(crd("C"))
        assert [kind.kind for kind in collection.kinds()] == ["B", "C"]
        assert not collection.left_out

    def test_all_too_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(store, "MAX_ALL", len(pack(crd("A"))) + 10)
        collection = CrdCollection()
        collection.put(crd("A"))
        collection.put(crd("B"))
        collection.put(crd("A", **{f"field{number}": "string" for number in range(50)}))
        assert collection.left_out == {"as.example.com", "bs.example.com"}
        assert collection.kinds() == {}
        collection.put(crd("B"))
        assert list(collection.kinds()) == [GroupKind("example.com", "B")]

    def test_one_too_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(store, "MAX_ONE", 10)
        assert pack(crd("A")) == b""
        collection = CrdCollection()
        collection.put(crd("A"))
        assert collection.kinds() == {}
        assert collection.left_out == {"as.example.com"}

    def test_one_too_deep(self) -> None:
        document = crd("A")
        deep: dict[str, Any] = {}
        for _ in range(5000):
            deep = {"items": deep}
        document["spec"]["versions"] = deep
        assert pack(document) == b""


@pytest.mark.parametrize("spec", [None, [], {"group": 1, "names": "x"}, {"versions": {"a": []}}])
def test_an_invalid_crd_defines_nothing(spec: Any) -> None:
    collection, cache = CrdCollection(), CrdCache()
    collection.put({"metadata": {"name": "x"}, "spec": spec})
    for kind, content in collection.kinds().items():
        cache.update(kind, content)
    assert cache.find("example.com/v1", "Widget") is None
    assert cache.find("v1", "") is None


class TestCrdCache:
    def test_changed_and_gone(self) -> None:
        cache = CrdCache()
        for content, names in ((pack(crd("Widget", a="string")), True), (b"", False)):
            cache.update(WIDGET, content)
            assert bool(cache.find("example.com/v1", "Widget")) is names
        cache.update(WIDGET, pack(crd("Widget", b="string")))
        found = cache.find("example.com/v9", "Widget")
        assert found
        assert not found.at("status", "a")


@given(st.text(), st.text(), st.binary())
def test_updates_over_the_pipe(group: str, kind: str, content: bytes) -> None:
    update = frames.crd_update(GroupKind(group, kind), content)[frames.LENGTH.size :]
    assert frames.read_crd_update(update) == (GroupKind(group, kind), content)
    request = b"".join(frames.review(content, 1.5, ["core-kind"]))[frames.LENGTH.size :]
    assert frames.read_crd_update(request) is None
    assert frames.read_review(request) == (content, 1.5, ["core-kind"])
