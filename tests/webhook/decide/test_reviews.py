"""AdmissionReviews: read, refused, cut."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.model import GroupKind
from celvet.webhook.decide.policy import AdmissionPolicy
from celvet.webhook.decide.review import MalformedError, peek, read
from celvet.webhook.memory_budget import SMALL_BODY
from tests.webhook.inline_judge import decide, linted
from tests.webhook.malformed import MALFORMED
from tests.webhook.reviews import kustomization, review


@pytest.mark.parametrize(("name", "body", "says"), MALFORMED, ids=[name for name, *_ in MALFORMED])
def test_malformed(name: str, body: bytes, says: str) -> None:
    with pytest.raises(MalformedError) as caught:
        read(body)
    assert says in str(caught.value)
    assert "set_int_max_str_digits" not in str(caught.value)


def test_all_fields() -> None:
    value = kustomization("true")
    body = json.dumps(review(value, "UPDATE", oldObject=value, dryRun=True, subResource="status"))
    found = read(body.encode())
    assert found.kind == GroupKind("kustomize.toolkit.fluxcd.io", "Kustomization")
    assert (found.namespace, found.name, found.subresource) == ("flux-system", "apps", "status")
    assert found.user == "system:serviceaccount:apps:deployer"
    assert found.dry_run
    assert found.object == found.old_object
    assert {key: json.loads(bytes(raw)) for key, raw in (found.object or {}).items()} == value


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


def nested(levels: int, form: tuple[str, str]) -> bytes:
    """A review of an object with a value at this depth."""
    document = review(kustomization("status.a =="), "UPDATE", oldObject=kustomization("true"))
    document["request"]["object"]["spec"]["x"] = "DEEP"
    return (
        json.dumps(document).replace('"DEEP"', form[0] * levels + "1" + form[1] * levels).encode()
    )


@pytest.mark.parametrize("levels", [300, 900, 1100, 10_000])
@pytest.mark.parametrize("form", [('{"a":', "}"), ("[", "]"), ('["]\\"",', ',{"}":[]}]')])
def test_a_deep_object_is_linted_or_passes_with_a_warning(
    levels: int, form: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = linted(monkeypatch)
    body = nested(levels, form)
    found = peek(body)
    assert (found.uid, found.name, found.namespace) == (read(body).uid, "apps", "flux-system")
    decision = decide(body, AdmissionPolicy())
    deep = "celvet did not check it: the object is nested too deep"
    assert decision.failure_warning in (("", deep) if levels < 1000 else (deep,))
    assert decision.allowed is bool(decision.failure_warning)
    assert bool(objects) is (levels < 900) or levels == 900


@pytest.mark.parametrize("levels", [100, 10_000])
def test_a_deep_object_may_be_deleted(levels: int) -> None:
    body = nested(levels, ("[", "]")).replace(b'"UPDATE"', b'"DELETE"')
    assert decide(body, AdmissionPolicy()).skip_reason == "nothing is written"


def test_of_a_large_body_only_the_head_is_read_here() -> None:
    document = review(kustomization("status.a =="), dryRun=True)
    document["request"]["object"]["spec"]["x"] = "x" * SMALL_BODY
    found = peek(json.dumps(document).encode())
    assert (found.name, found.object, found.dry_run) == ("apps", {}, False)
    decision = decide(json.dumps(document).encode(), AdmissionPolicy())
    assert [each.rule for each in decision.denials] == ["cel-syntax"]


@pytest.mark.parametrize("operation", ["CREATE", "DELETE"])
def test_a_key_of_the_user_named_object_does_not_end_the_head(operation: str) -> None:
    """`userInfo.extra` comes before the object; its keys are those of an authenticator."""
    document = review(kustomization("status.a == 1"), operation=operation)
    request = document["request"]
    large = {**request["object"], "spec": {"x": "x" * SMALL_BODY}}
    request["userInfo"]["extra"] = {"object": ["a"], "b": ['"object":{'], 'c"object":{': ["d"]}
    request["object"] = None if operation == "DELETE" else large
    request["oldObject"] = large
    objects = {key: request.pop(key) for key in ("object", "oldObject")}
    for separators in ((",", ":"), (", ", ": ")):
        text = json.dumps({**document, "request": {**request, **objects}}, separators=separators)
        found = peek(text.encode())
        assert (found.operation, found.user) == (operation, request["userInfo"]["username"])
        assert found.uid == request["uid"]


def test_what_is_not_json_inside_of_an_object_is_refused() -> None:
    body = json.dumps(review(kustomization("true"))).encode().replace(b'"1h"', b'"\xff"')
    with pytest.raises(MalformedError, match="not JSON"):
        decide(body, AdmissionPolicy())


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(field=st.sampled_from(sorted(review(kustomization("true"))["request"])), value=_JSON)
def test_any_value_in_any_field_is_read_or_refused(field: str, value: object) -> None:
    document = review(kustomization("true"))
    document["request"][field] = value
    with suppress(MalformedError):
        assert read(json.dumps(document).encode()).uid


@given(st.binary(max_size=60))
def test_any_bytes_are_refused(body: bytes) -> None:
    with pytest.raises(MalformedError):
        read(body)
