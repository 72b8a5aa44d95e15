"""AdmissionReviews: read, refused, cut."""

from __future__ import annotations

import gc
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet import schemas
from celvet.lint.model import GroupKind
from celvet.webhook.decide.exemption import exemption
from celvet.webhook.decide.policy import AdmissionPolicy
from celvet.webhook.decide.review import MalformedError, read
from tests.webhook.inline_linter import InlineLinter, decide
from tests.webhook.malformed import MALFORMED
from tests.webhook.reviews import kustomization, review


@pytest.mark.parametrize(("name", "body", "says"), MALFORMED, ids=[name for name, *_ in MALFORMED])
def test_malformed(name: str, body: bytes, says: str) -> None:
    with pytest.raises(MalformedError) as caught:
        read(body)
    assert says in str(caught.value)
    assert "set_int_max_str_digits" not in str(caught.value)


def test_an_error_has_the_uid_if_it_was_read() -> None:
    body = json.dumps(review(kustomization("true"), "PATCH")).encode()
    with pytest.raises(MalformedError) as caught:
        read(body)
    assert caught.value.uid == "705ab4f5-6393-11e8-b7cc-42010a800002"


def test_all_fields() -> None:
    value = kustomization("true")
    body = json.dumps(review(value, "UPDATE", oldObject=value, dryRun=True, subResource="status"))
    found = read(body.encode())
    assert found.kind == GroupKind("kustomize.toolkit.fluxcd.io", "Kustomization")
    assert (found.namespace, found.name, found.subresource) == ("flux-system", "apps", "status")
    assert found.user == "system:serviceaccount:apps:deployer"
    assert found.dry_run
    assert found.object == found.old_object == value


def test_the_kind_is_that_of_the_object() -> None:
    document = review(kustomization("true"))
    document["request"]["kind"] = {"group": "x", "version": "v1", "kind": "Other"}
    expected = GroupKind("kustomize.toolkit.fluxcd.io", "Kustomization")
    assert read(json.dumps(document).encode()).kind == expected
    for odd in ({"kind": None}, {"kind": 1}, {"apiVersion": []}):
        document["request"]["object"] = kustomization("true") | odd
        assert read(json.dumps(document).encode()).kind == GroupKind("x", "Other")
    deletion = review(None, "DELETE", kind={"group": "x", "version": "v1", "kind": "Other"})
    assert read(json.dumps(deletion).encode()).kind == GroupKind("x", "Other")


@pytest.mark.parametrize(
    ("metadata", "name"),
    [
        ({"generateName": "a-"}, "a-"),
        ({"generateName": "a-", "name": "a-x"}, "a-x"),
        ({"name": 1, "generateName": "a-"}, "a-"),
        ({"generateName": {}}, ""),
        (None, ""),
    ],
)
def test_the_name_if_the_request_has_none(metadata: object, name: str) -> None:
    document = review(kustomization("true"))
    del document["request"]["name"]
    document["request"]["object"]["metadata"] = metadata
    assert read(json.dumps(document).encode()).name == name


@pytest.mark.parametrize("levels", [300, 900, 1000, 10_000])
@pytest.mark.parametrize("form", [('{"a":', "}"), ("[", "]"), ('["]\\"",', ',{"}":[]}]')])
def test_a_deep_object_is_cut(levels: int, form: tuple[str, str]) -> None:
    def body(bottom: str, **fields: object) -> bytes:
        document = review(kustomization("true"), "UPDATE", oldObject=kustomization("true"))
        document["request"] |= fields
        document["request"]["object"]["spec"]["x"] = "DEEP"
        document["request"]["oldObject"]["spec"]["x"] = "OTHER"
        nested = [form[0] * levels + each + form[1] * levels for each in (bottom, "1")]
        text = json.dumps(document)
        return text.replace('"DEEP"', nested[0]).replace('"OTHER"', nested[1]).encode()

    same, other = read(body("1", dryRun=True)), read(body("2"))
    assert same.deep is (levels >= 1000)
    assert (same.name, same.dry_run) == ("apps", True)
    passed = "nothing but metadata and status changes"
    assert exemption(same, schemas.load()) == passed
    assert exemption(other, schemas.load()) is None
    for fields in ({"operation": "DELETE"}, {"subResource": "status"}):
        assert decide(body("2", **fields), AdmissionPolicy()).passed not in ("", passed)
    decision = decide(body("1"), AdmissionPolicy())
    assert (decision.allowed, decision.unjudged, decision.passed) == (True, "", passed)
    if levels >= 1000:
        linter = InlineLinter()
        decision = decide(body("2"), AdmissionPolicy(), linter)
        assert decision.allowed
        assert decision.unjudged == "celvet did not check it: the object is nested too deep"
        assert not linter.objects


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(
    field=st.sampled_from(sorted(review(kustomization("true"))["request"])),
    value=_JSON,
)
def test_any_value_in_any_field_is_read_or_refused(field: str, value: object) -> None:
    document = review(kustomization("true"))
    document["request"][field] = value
    with suppress(MalformedError):
        assert read(json.dumps(document).encode()).uid


def test_a_body_of_many_lists_is_read_without_garbage_collection() -> None:
    document = review(kustomization("true"))
    document["request"]["object"]["spec"]["x"] = [[]] * 200_000
    body = json.dumps(document).encode()
    before = collections()
    read(body)
    assert collections() - before < 10
    assert gc.isenabled()


def collections() -> int:
    return sum(each["collections"] for each in gc.get_stats())


@given(st.binary(max_size=60))
def test_any_bytes_are_refused(body: bytes) -> None:
    with pytest.raises(MalformedError):
        read(body)
