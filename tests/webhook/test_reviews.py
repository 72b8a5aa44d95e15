from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lint.model import GroupKind
from tests.webhook.malformed import MALFORMED
from tests.webhook.reviews import kustomization, review
from webhook.reviews import MalformedError, read


@pytest.mark.parametrize(("name", "body", "says"), MALFORMED, ids=[name for name, *_ in MALFORMED])
def test_malformed(name: str, body: bytes, says: str) -> None:
    with pytest.raises(MalformedError) as caught:
        read(body)
    assert says in str(caught.value)


def test_a_uid_that_was_read_is_told() -> None:
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


@given(st.binary(max_size=60))
def test_any_bytes_are_refused(body: bytes) -> None:
    with pytest.raises(MalformedError):
        read(body)
