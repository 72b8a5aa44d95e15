"""Feeds damaged bytes to single readers: of CRDs, kustomizations, and the webhook's input."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from celvet import lint_text
from celvet.certs.pki.authority import new_authority
from celvet.certs.pki.bundle import Bundle
from celvet.certs.pki.material import decode, encode
from celvet.certs.pki.policy import RenewalPolicy
from celvet.lint.config.table import ConfigError
from celvet.lint.repository.builds.build import transform
from celvet.lint.repository.builds.builder import KustomizationBuilder
from celvet.lint.repository.files import Files
from celvet.webhook.decide.policy_file import parse
from celvet.webhook.decide.review import MalformedError, read
from tests.crds.definitions import definition, fields
from tests.fuzz.mutations import changed_bytes
from tests.kustomize.trees import Tree

_POLICY = b"""\
enforce: warn
rules: {cel-syntax: deny}
namespaces:
  - match: team-*
    enforce: deny
"""
_REVIEW = {
    "apiVersion": "admission.k8s.io/v1",
    "kind": "AdmissionReview",
    "request": {
        "uid": "u",
        "operation": "UPDATE",
        "kind": {"group": "kustomize.toolkit.fluxcd.io", "version": "v1", "kind": "Kustomization"},
        "resource": {"group": "g", "version": "v1", "resource": "kustomizations"},
        "name": "a",
        "namespace": "b",
        "userInfo": {"username": "c", "groups": ["d"]},
        "dryRun": True,
        "object": {"apiVersion": "v1", "kind": "K", "metadata": {"name": "a"}, "spec": {}},
        "oldObject": None,
    },
}


_CONDITION = fields(type={"type": "string", "enum": ["Ready"]}, status={"type": "string"})
_CRD = definition(
    fields(
        spec=fields(replicas={"type": "integer", "nullable": True, "default": 1}),
        status=fields(
            phase={"enum": ["Up", "Down"], "type": "string"},
            at={"type": "string", "format": "date-time", "maxLength": 30},
            conditions={"type": "array", "items": _CONDITION, "x-kubernetes-list-type": "map"},
            any={"x-kubernetes-preserve-unknown-fields": True, "type": "object"},
            labels={"type": "object", "additionalProperties": {"type": "string"}},
            port={"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}]},
        ),
    )
)
_READ = """\
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: a}
spec:
  wait: true
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Database
      current: >-
        status.phase == 'Up' && spec.replicas > 0 && status.any.a && status.labels['a'] != ''
        && status.port == 1 && status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')
      failed: status.conditions.exists(c, c.type == 'Failed') || timestamp(status.at) > timestamp(0)
"""
_TREES = (3, 1_203, 1_700, 1_801)
"""Seeds of kustomization trees, at least one of each kind that `Tree` makes."""


class Damaged(NamedTuple):
    """A reader's name, the bytes that it got, and how it failed (empty if it did not)."""

    reader: str
    given: bytes
    failed: str


@cache
def _readers() -> list[tuple[str, bytes, Callable[[bytes], object], type[Exception] | tuple[()]]]:
    """Each reader, with bytes that it can read, and the errors it may raise for others."""
    policy = RenewalPolicy()
    pair = new_authority(datetime(2026, 1, 1, tzinfo=UTC), policy)
    texts = encode(Bundle(signer=pair, serving=pair))
    trees = [Tree(number) for number in _TREES]
    return [
        ("a CRD", json.dumps(_CRD, indent=1).encode(), _lint, ()),
        *(
            ("a kustomization", _root(tree), lambda data, at=tree: _build(at, data), ())
            for tree in trees
        ),
        ("a review", json.dumps(_REVIEW).encode(), read, MalformedError),
        ("a policy", _POLICY, lambda data: parse(data, "deny", Path("policy")), ConfigError),
        *(
            (f"`{name}`", text, lambda data, at=name: decode({**texts, at: data}), ())
            for name, text in texts.items()
        ),
    ]


def _lint(crd: bytes) -> None:
    """Type-check expressions against a CRD in the same file."""
    lint_text(crd.decode(errors="replace") + _READ)


def _root(tree: Tree) -> bytes:
    return tree.files[f"{tree.root}/kustomization.yaml"].encode()


def _build(tree: Tree, data: bytes) -> None:
    """Build a tree with these bytes as its topmost kustomization."""
    with tempfile.TemporaryDirectory(prefix="celvet-fuzz-") as name:
        root = tree.write(Path(name))
        (root / "kustomization.yaml").write_bytes(data)
        files = Files(Path(name))
        for entry in KustomizationBuilder(files).build(root.name).entries:
            for each in files.objects(entry.file):
                transform(each.value, entry.passes)


def damaged(random: Random) -> Damaged:
    """Run a reader on damaged bytes."""
    name, data, reader, allowed = random.choice(_readers())
    given = changed_bytes(random, data, [each[1] for each in _readers()])
    failed = ""
    try:
        reader(given)
    except allowed:
        pass
    except Exception as error:  # any other error is a fault
        failed = repr(error)
    return Damaged(name, given, failed)
