"""The kinds of the catalogue for tests, and manifests with an entry for one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from celvet.schemas import kind_facts
from celvet.schemas.facts import KindFacts
from celvet.schemas.known_kinds import families, known_kinds
from tests import libyaml
from tests.manifests import kustomization
from tests.properties import sample


def facts_of(group: str, kind: str) -> KindFacts:
    """The facts of a kind in the catalogue."""
    found = kind_facts(group, kind)
    assert found is not None
    return found


def named_kinds() -> list[tuple[str, str]]:
    """The kinds with a file, and an example of each family that a name is enough to find."""
    examples = [(facts.group, facts.kind) for _, facts in families()]
    return [*known_kinds(), *(kind for kind in examples if kind_facts(*kind))]


@cache
def sampled() -> list[KindFacts]:
    """All kinds of the catalogue; in `make quick`, some of them."""
    return [facts_of(*each) for each in sample(named_kinds())]


def manifest(api_version: str, kind: str, entry: Mapping[str, str]) -> bytes:
    """A Kustomization with one entry."""
    checks = [{"apiVersion": api_version, "kind": kind, **entry}]
    spec = {"wait": True, "timeout": "10m", "healthCheckExprs": checks}
    return str(libyaml.dump(kustomization("a", **spec))).encode()
