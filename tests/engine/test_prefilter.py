"""The search of the bytes skips a file only if it has no expression."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from celvet import schemas
from celvet.lint.engine.prefilter import may_concern
from celvet.schemas import ExpressionSite

_SITES = schemas.sites_table(schemas.load().kinds)


def _holding(site: ExpressionSite) -> dict[str, Any]:
    """The smallest object with an expression at the site."""
    value: Any = "true"
    for segment in reversed(site.segments):
        value = [value] if segment == "[]" else {segment: value}
    version = f"{site.kind.group}/{site.kind.versions[0]}"
    return {"apiVersion": version, "kind": site.kind.kind, **value}


@st.composite
def _written(draw: st.DrawFn) -> bytes:
    document = _holding(draw(st.sampled_from(_SITES)))
    wrapped = draw(
        st.sampled_from(
            [
                document,
                {"apiVersion": "v1", "kind": "List", "items": [document]},
                {"kind": "Kustomization", "patches": [{"patch": yaml.dump(document)}]},
                {"kind": "Kustomization", "patches": [{"patch": json.dumps(document)}]},
            ]
        )
    )
    if draw(st.booleans()):
        text = json.dumps(wrapped, indent=draw(st.sampled_from([None, 1])))
    else:
        style = draw(st.sampled_from([None, "'", '"', "|", ">"]))
        text = yaml.dump(wrapped, default_style=style, width=draw(st.sampled_from([5, 80])))
    return text.encode(draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])))


@given(_written())
def test_never_dismisses_a_site(data: bytes) -> None:
    assert may_concern(data)


_SERVED = [site for site in _SITES if site.kind.plural]


@pytest.mark.parametrize("site", _SERVED, ids=lambda site: f"{site.kind.kind} {site.pattern}")
def test_never_dismisses_a_json_patch_that_sets_one(site: ExpressionSite) -> None:
    pointer = "/" + "/".join("0" if each == "[]" else each for each in site.segments)
    operations = [{"op": "replace", "path": pointer, "value": "true"}]
    patch = {"target": {"kind": site.kind.kind}, "patch": json.dumps(operations)}
    assert may_concern(yaml.dump({"kind": "Kustomization", "patches": [patch]}).encode())


def test_dismisses_what_is_none_of_ours() -> None:
    container = {"name": "web", "resources": {"limits": {"memory": "1Gi"}}}
    pod = {"spec": {"containers": [container]}}
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"template": pod}}
    assert not may_concern(yaml.dump(deployment).encode())
