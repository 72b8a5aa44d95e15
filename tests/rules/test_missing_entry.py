"""The fix of `missing-entry` and `existence-only` adds the entry of the catalogue, once."""

from __future__ import annotations

import pytest

from celvet.lint.engine import Settings, lint_text
from celvet.lint.engine.fix import fix
from celvet.schemas.facts import KindFacts
from tests import libyaml
from tests.kinds.known import sampled
from tests.manifests import kustomization

_RULES = {"missing-entry", "existence-only"}
_ENTRY = {"apiVersion": "example.com/v1", "kind": "Thing", "current": "has(status.ready)"}


def _manifest(facts: KindFacts, entries: list[dict[str, str]]) -> str:
    version = f"{facts.group}/{facts.content['crd']['versions'][0]}".lstrip("/")
    listed = {"apiVersion": version, "kind": facts.kind, "name": "a", "namespace": "b"}
    spec = {"healthCheckExprs": entries} if entries else {}
    checks = [listed, {**listed, "name": "c"}]
    return str(libyaml.dump(kustomization("x", **spec, healthChecks=checks)))


@pytest.mark.parametrize("entries", [[], [_ENTRY]], ids=["alone", "beside another"])
@pytest.mark.parametrize("facts", sampled(), ids=lambda each: f"{each.kind}.{each.group}")
def test_the_entry_of_the_catalogue_is_added(
    facts: KindFacts, entries: list[dict[str, str]]
) -> None:
    text = _manifest(facts, entries)
    found = [each.rule for each in lint_text(text).findings if each.rule in _RULES]
    if not found:
        return
    done = fix(text.encode(), "a.yaml", Settings(), unsafe=True)
    added = libyaml.load(done.after)["spec"]["healthCheckExprs"]
    named = {"apiVersion": added[0]["apiVersion"], "kind": facts.kind}
    assert facts.entry
    assert added == [{**named, **facts.entry}, *entries]
    assert not [each for each in lint_text(done.after).findings if each.rule in _RULES]
